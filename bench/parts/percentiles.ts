import { marketWindow } from '#queries/market/window.ts';
import { type ApiProcess, startApi } from '../api-process.ts';
import { type Bench, figure, forEachStep, type PartResult, resultOf } from '../bench.ts';
import { type Corpus, marketMoment } from '../corpus/corpus.ts';
import { percentile } from '../load/statistics.ts';
import { makeMarketTable } from '../postgres/tables.ts';
import { fetchData } from '../requests/responses.ts';

/** Minimum number of listings per cell. */
const MIN_LISTINGS = 30;
/** Percent. */
const MAX_ERROR = { atMost: 1 };
const QUARTILES = ['p25_price_sar', 'median_price_sar', 'p75_price_sar'] as const;

interface Cell {
  city: string;
  listing_type: string;
  property_type: string;
  neighborhood_id: number | null;
  listings: number;
  exact: readonly [p25: number, median: number, p75: number];
}

/** Compares the quartiles of the API with exact quantiles of all prices. */
export async function percentiles(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await makeMarketTable(bench, corpus);
  const cells = await exactCells(corpus);
  const inNeighborhoods = cells.filter(({ neighborhood_id }) => neighborhood_id !== null);
  const wholeCities = cells.filter(({ neighborhood_id }) => neighborhood_id === null);
  await using api = await startApi(corpus, { clock: marketMoment(corpus) });
  const kinds = [
    { what: 'summary of one neighborhood', found: await errorsOf(bench, inNeighborhoods, summaries(api)) },
    { what: 'comparison of neighborhoods', found: await errorsOf(bench, inNeighborhoods, comparisons(api)) },
    { what: 'summary of a whole city', found: await errorsOf(bench, wholeCities, summaries(api)) },
  ];
  const all = kinds.flatMap(({ found }) => found.flat());
  return resultOf(
    `Error of quartiles in percent, for markets of one type with at least ${MIN_LISTINGS} listings`,
    ['Request', 'Quartile', 'markets', 'p50', 'p99', 'worst', 'exact, %'],
    kinds.flatMap(({ what, found }) =>
      QUARTILES.map((name, at) => {
        const errors = found.map((each) => each[at] as number);
        const exact = errors.filter((error) => error < 0.0001).length;
        const shares = [0.5, 0.99, 1].map((share) => percentile(errors, share));
        return [what, name, errors.length, ...shares, (exact / errors.length) * 100];
      }),
    ),
    [
      figure('markets', cells.length),
      figure('worst error of a quartile', percentile(all, 1), '%', MAX_ERROR),
      figure('p99 of the errors', percentile(all, 0.99), '%', MAX_ERROR),
    ],
    [
      'Exact: percentile_cont of Postgres over the listings that search serves. Covers every market of city, listing type, property type and neighborhood, requested from the API both individually and in the list of neighborhoods of its city, and every city and type.',
    ],
  );
}

async function exactCells(corpus: Corpus): Promise<Cell[]> {
  const { rows } = await corpus.pool.query<Cell>(
    `select city, listing_type, property_type, neighborhood_id, count(*)::integer as listings,
            percentile_cont(array[0.25, 0.5, 0.75]) within group (order by price) as exact
       from bench_market.listings where plausible_typed and updated_at >= $1
      group by grouping sets ((city, listing_type, property_type, neighborhood_id), (city, listing_type, property_type))
     having count(*) >= ${MIN_LISTINGS} and (neighborhood_id is not null or grouping(neighborhood_id) = 1)
      order by 1, 2, 3, 4`,
    [marketWindow(marketMoment(corpus)).from],
  );
  return rows;
}

type Row = Readonly<Record<(typeof QUARTILES)[number] | 'sample_size', number>> & { neighborhood_id?: number };
type ReadCell = (cell: Cell) => Promise<Row | undefined>;

/** Error of each quartile of each cell, in percent. */
async function errorsOf(bench: Bench, cells: readonly Cell[], readCell: ReadCell): Promise<number[][]> {
  const errors: number[][] = [];
  await forEachStep(bench, 'Percentiles', cells, async (cell) => {
    const row = await readCell(cell);
    if (row?.sample_size !== cell.listings)
      throw new Error(`${JSON.stringify(cell)}: the API counts ${row?.sample_size}`);
    errors.push(QUARTILES.map((name, which) => Math.abs(row[name] / (cell.exact[which] as number) - 1) * 100));
    return undefined;
  });
  return errors;
}

const queryOf = ({ city, listing_type, property_type }: Cell): string =>
  `${new URLSearchParams({ city, listing_type, property_type })}`;

const summaries =
  (api: ApiProcess): ReadCell =>
  (cell) => {
    const place = cell.neighborhood_id === null ? '' : `&neighborhood_id=${cell.neighborhood_id}`;
    return fetchData<Row>(api, `/v1/market/summary?${queryOf(cell)}${place}`);
  };

/** One response covers all neighborhoods for a city and type, and is requested once. */
function comparisons(api: ApiProcess): ReadCell {
  let requested = '';
  let rows: readonly Row[] = [];
  return async (cell) => {
    const path = `/v1/market/neighborhoods?${queryOf(cell)}`;
    if (path !== requested) rows = (await fetchData<{ neighborhoods: Row[] }>(api, path)).neighborhoods;
    requested = path;
    return rows.find((row) => row.neighborhood_id === cell.neighborhood_id);
  };
}
