import { marketWindow } from '#queries/market/window.ts';
import type { ApiProcess } from '../api-process.ts';
import type { Bench, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { percentile } from '../load/statistics.ts';
import { marketMoment, startApiOnTheDay } from '../market-day.ts';
import { makeMarketTable } from '../postgres/market-table.ts';
import { fetchJson } from '../requests/answers.ts';
import { getFromApi } from '../requests/market.ts';

/** Minimum number of listings of a cell. */
const MIN_LISTINGS = 30;
/** Percent. */
const MAX_ERROR = 1;
const QUARTILES = ['p25_price_sar', 'median_price_sar', 'p75_price_sar'] as const;

/** Compares the quartiles of the API with exact quantiles of all prices. */
export const percentilesPart: Part = {
  name: 'percentiles',
  summary: 'quartiles against exact ones, over every city, type and neighborhood',
  run,
};

type Exact = readonly [p25: number, median: number, p75: number];

interface Cell {
  city: string;
  listing_type: string;
  property_type: string;
  neighborhood_id: number | null;
  listings: number;
  exact: Exact;
}

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await makeMarketTable(bench, corpus);
  const cells = await exactCells(corpus);
  const inNeighborhoods = cells.filter(({ neighborhood_id }) => neighborhood_id !== null);
  const wholeCities = cells.filter(({ neighborhood_id }) => neighborhood_id === null);
  const api = await startApiOnTheDay(corpus);
  try {
    const kinds = [
      { what: 'summary of one neighborhood', found: await errorsOf(bench, api, inNeighborhoods, summaryOf) },
      { what: 'comparison of neighborhoods', found: await errorsOf(bench, api, inNeighborhoods, sideBySide()) },
      { what: 'summary of a whole city', found: await errorsOf(bench, api, wholeCities, summaryOf) },
    ];
    const rows = kinds.flatMap(({ what, found }) =>
      QUARTILES.map((name, at) => {
        const errors = Float64Array.from(found, (each) => each[at] as number).sort();
        const exact = errors.filter((error) => error < 0.0001).length;
        const shares = [0.5, 0.99, 1].map((share) => percentile(errors, share));
        return [what, name, errors.length, ...shares, (exact / errors.length) * 100];
      }),
    );
    const all = Float64Array.from(kinds.flatMap(({ found }) => found.flat())).sort();
    return {
      tables: [
        {
          title: `Error of quartiles in percent, for markets of one type with at least ${MIN_LISTINGS} listings`,
          head: ['Question', 'Quartile', 'markets', 'p50', 'p99', 'worst', 'exact, %'],
          rows,
        },
      ],
      figures: [
        { name: 'markets', value: cells.length, unit: '' },
        { name: 'worst error of a quartile', value: percentile(all, 1), unit: '%', target: { atMost: MAX_ERROR } },
        { name: 'p99 of the errors', value: percentile(all, 0.99), unit: '%', target: { atMost: MAX_ERROR } },
      ],
      notes: [
        'Exact: percentile_cont of Postgres over the listings that search serves. Covers every market of city, listing type, property type and neighborhood, requested from the API both individually and in the list of neighborhoods of its city, and every city and type.',
      ],
    };
  } finally {
    await api.stop();
  }
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
type ReadCell = (api: ApiProcess, cell: Cell) => Promise<Row | undefined>;

/** Error of each quartile of each cell, in percent. */
async function errorsOf(
  bench: Bench,
  api: ApiProcess,
  cells: readonly Cell[],
  readCell: ReadCell,
): Promise<number[][]> {
  const errors: number[][] = [];
  const bar = bench.screen.progress('Percentiles', cells.length);
  try {
    for (const [at, cell] of cells.entries()) {
      bench.signal.throwIfAborted();
      const row = await readCell(api, cell);
      if (row?.sample_size !== cell.listings)
        throw new Error(`${JSON.stringify(cell)}: the API counts ${row?.sample_size}`);
      errors.push(QUARTILES.map((name, which) => Math.abs(row[name] / (cell.exact[which] as number) - 1) * 100));
      bar.update(at + 1);
    }
  } finally {
    bar.end();
  }
  return errors;
}

const summaryOf: ReadCell = (api, cell) => getData<Row>(api, 'summary', cell, cell.neighborhood_id);

/** All neighborhoods of a city and type are in one response. */
function sideBySide(): ReadCell {
  let key = '';
  let rows: readonly Row[] = [];
  return async (api, cell) => {
    const { city, listing_type, property_type, neighborhood_id } = cell;
    if (key !== `${city} ${listing_type} ${property_type}`) {
      rows = (await getData<{ neighborhoods: Row[] }>(api, 'neighborhoods', cell, null)).neighborhoods;
      key = `${city} ${listing_type} ${property_type}`;
    }
    return rows.find((row) => row.neighborhood_id === neighborhood_id);
  };
}

async function getData<T>(api: ApiProcess, kind: string, cell: Cell, neighborhood: number | null): Promise<T> {
  const { city, listing_type, property_type } = cell;
  const query = new URLSearchParams({ city, listing_type, property_type });
  if (neighborhood !== null) query.set('neighborhood_id', String(neighborhood));
  const body = await fetchJson(api.origin, getFromApi(`/v1/market/${kind}?${query}`, api));
  return (body as { data: T }).data;
}
