import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { parseQuarter, quarterLabel } from '#domain/official/quarters.ts';
import { cellsBody } from '#queries/transactions/cells.ts';
import { transactionsBody } from '#queries/transactions/search.ts';
import { writeQuarter } from '#sample/official.ts';
import { type ApiProcess, startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, type PartResult, type Row, resultOf } from '../bench.ts';
import { measureInChild } from '../child.ts';
import { closeStores, openStores, type Stores } from '../corpus/corpus.ts';
import type { OfficialMeasurement } from '../corpus/official-process.ts';
import { compare } from '../load/compare.ts';
import type { Statement } from '../load/protocol.ts';
import { timeHeads, timesOf } from '../load/statistics.ts';
import { fetchData, largestDifference } from '../requests/responses.ts';
import { apiSide, clearRequestCache, engineSide, postgresSide, SORT_IN_MEMORY } from '../requests/sides.ts';

const MODULE = new URL('../corpus/official-process.ts', import.meta.url);
const QUARTERS = 20;
const FIRST = parseQuarter('2020-Q3');
const LEFT_OUT = parseQuarter('2023-Q1');
const DEALS = 1_000_000;
const QUICK_DEALS = 60_000;
const SEED = 11;
const CITY = 'riyadh';
const MIN_AHEAD = 3;

/** Measures the import of a million registered deals, and compares requests with Postgres. */
export async function transactions(bench: Bench): Promise<PartResult> {
  const { context, options, screen, signal } = bench;
  const total = options.quick ? QUICK_DEALS : DEALS;
  const stores = await openStores(context, `bench_transactions_${total}`, options.reload, async ({ env }, dir) => {
    const files = join(dir, 'files');
    await mkdir(files);
    await screen.step(`Writing ${total.toLocaleString('en')} deals`, async () => {
      for (const quarter of quarters) {
        signal.throwIfAborted();
        writeQuarter(join(files, `deals-${quarterLabel(quarter)}.csv`), SEED, quarter, total / QUARTERS);
      }
    });
    const measured = await screen.step('Importing them', () =>
      measureInChild<{ dir: string }, OfficialMeasurement>(MODULE, { dir: files }, { env, signal }),
    );
    await rm(files, { recursive: true });
    return measured;
  });
  try {
    await screen.step('Copying the deals into Postgres', () => fillPostgres(stores));
    await using api = await startApi(stores, { profileDir: options.profileDir });
    return await measureAll(bench, stores, stores.manifest, api, total);
  } finally {
    await closeStores(stores);
  }
}

const quarters = Array.from({ length: QUARTERS + 1 }, (_, at) => FIRST + at).filter((quarter) => quarter !== LEFT_OUT);

/** Loads the deals into Postgres with a layout that allows index-only scans for these requests. */
async function fillPostgres({ pool }: Stores): Promise<void> {
  const neighborhoods = neighborhoodsOf(CITY).map(({ id, name_ar, name_en }) => ({ id, name_ar, name_en }));
  await pool.query(`drop schema if exists bench_deals cascade; create schema bench_deals`);
  await pool.query(
    `create table bench_deals.names as select * from json_to_recordset($1::json) as n(id integer, name_ar text, name_en text)`,
    [JSON.stringify(neighborhoods)],
  );
  await pool.query(`
    create table bench_deals.deals as
      select city, neighborhood_id, land_use_class, t.quarter,
             (extract(year from day) * 12 + extract(month from day) - 1)::smallint as month, key,
             price_sar as price, area_sqm as area, round((price_sar / area_sqm)::numeric, 2)::float8 as price_per_sqm,
             json_build_object('id', 'txn_' || lpad(to_hex(key), 13, '0'), 'registration_month', to_char(day, 'YYYY-MM'),
               'source_quarter', t.quarter, 'city', city, 'neighborhood_id', neighborhood_id, 'neighborhood_name_ar', n.name_ar,
               'neighborhood_name_en', n.name_en, 'ministry_city_ar', ministry_city_ar, 'ministry_district_ar', ministry_district_ar,
               'land_use_class', land_use_class, 'area_sqm', area_sqm, 'price_sar', price_sar,
               'price_per_sqm_sar', round((price_sar / area_sqm)::numeric, 2), 'property_count', property_count)::text as display
        from transactions t join official_loads l on l.id = t.load_id and l.state = 'current'
        left join bench_deals.names n on n.id = neighborhood_id
       where city is not null order by city, month desc, key desc;
    create index on bench_deals.deals (city, month desc, key desc);
    create index on bench_deals.deals (city, neighborhood_id, month desc, key desc);
    create index on bench_deals.deals (city, quarter) include (neighborhood_id, land_use_class, price, price_per_sqm);`);
  await pool.query('vacuum analyze bench_deals.deals');
}

/** A request in the form that each side requires. */
interface DealsRequest {
  path: string;
  /** The query that the API sends to OpenSearch. */
  body: Record<string, unknown>;
  statement: Statement;
}

const pick = <Name extends keyof DealsRequest>(requests: readonly DealsRequest[], name: Name): DealsRequest[Name][] =>
  requests.map((request) => request[name]);

const q = (column: string): string => `percentile_cont(array[0.25, 0.5, 0.75]) within group (order by ${column})`;
const CELLS = `select json_agg(c)::text from (
  select neighborhood_id, quarter, land_use_class, count(*) as n,
         case when count(*) >= $4 then ${q('price')} end as price, case when count(*) >= $4 then ${q('price_per_sqm')} end as sqm
    from bench_deals.deals where city = $1 and quarter between $2 and $3 and neighborhood_id is not null
   group by 1, 2, 3 order by 1, 2, 3) c`;

/** Requests for all neighborhoods in the largest city over 20 quarters. A varying minimum makes each request unique. */
const cellRequests = (count: number): DealsRequest[] =>
  Array.from({ length: count }, (_, at) => {
    const [from, to] = [quarters[0] as number, quarters.at(-1) as number];
    const least = 5 + at;
    const span = `quarter_from=${quarterLabel(from)}&quarter_to=${quarterLabel(to)}`;
    return {
      path: `/v1/market/transactions?city=${CITY}&group_by=neighborhood&${span}&min_sample_size=${least}`,
      body: cellsBody({ city: CITY, quarterFrom: from, quarterTo: to, byNeighborhood: true }, least),
      statement: { name: 'cells', text: CELLS, values: [CITY, from, to, least] },
    };
  });

const page = (where: string): string =>
  `select '[' || string_agg(display, ',') || ']' from (select display from bench_deals.deals where city = $1 and ${where} order by month desc, key desc limit $2) p`;

const pageRequests = (limit: number): DealsRequest[] =>
  Array.from({ length: 48 }, (_, at) => {
    const month = `${2021 + (at % 5)}-${String(1 + (at % 8)).padStart(2, '0')}`;
    const place = neighborhoodsOf(CITY)[at % 12]?.id as number;
    const number = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
    if (at % 2 === 0)
      return {
        path: `/v1/transactions?city=${CITY}&month_to=${month}&limit=${limit}`,
        body: transactionsBody({ filters: { city: CITY, month_to: month }, size: limit + 1 }),
        statement: { name: 'page', text: page('month <= $3'), values: [CITY, limit + 1, number] },
      };
    return {
      path: `/v1/transactions?city=${CITY}&month_to=${month}&neighborhood_id=${place}&limit=${limit}`,
      body: transactionsBody({ filters: { city: CITY, month_to: month, neighborhood_id: [place] }, size: limit + 1 }),
      statement: {
        name: 'place',
        text: page('month <= $3 and neighborhood_id = $4'),
        values: [CITY, limit + 1, number, place],
      },
    };
  });

async function measureAll(
  bench: Bench,
  stores: Stores,
  { rows: imported, seconds, rss_mb, peak_rss_mb }: OfficialMeasurement,
  api: ApiProcess,
  total: number,
): Promise<PartResult> {
  const growth = Math.max(...rss_mb.slice(-5)) - Math.max(...rss_mb.slice(0, 5));
  const figures: Figure[] = [
    figure('import', imported / seconds, 'rows per second', { atLeast: 10_000 }),
    figure('peak resident memory of the import', peak_rss_mb, 'MB'),
    figure('memory in the last five quarters over that in the first five', growth, 'MB', { atMost: 120 }),
  ];
  const rows: Row[] = [];
  const note = await agreement(stores, api);
  const families = [
    { title: 'cells, uncached', requests: cellRequests(2_000), count: 6, uncached: true, least: MIN_AHEAD },
    { title: 'cells, cached', requests: cellRequests(4), count: 4, uncached: false, least: MIN_AHEAD },
    { title: 'page of 25', requests: pageRequests(25), count: 48, uncached: false, least: 1 },
    { title: 'page of 100', requests: pageRequests(100), count: 48, uncached: false, least: 1 },
  ];
  for (const { title, requests, count, uncached, least } of families) {
    await bench.load.setSides({
      api: apiSide(api, pick(requests, 'path')),
      engine: engineSide(stores, pick(requests, 'body'), 'transactions'),
      postgres: postgresSide(stores, pick(requests, 'statement'), SORT_IN_MEMORY),
    });
    for (const connections of [1, 8]) {
      const { sides, ratio } = await compare(bench, ['api', 'engine', 'postgres'], {
        connections,
        rounds: bench.options.quick ? 2 : 5,
        ...(uncached
          ? { count: Math.max(count, connections), before: () => clearRequestCache(stores, 'transactions') }
          : { count, sliceMs: bench.sliceMs }),
      });
      const [ofApi, ofEngine] = [ratio('api', 'postgres'), ratio('engine', 'postgres')];
      rows.push([title, connections, ...timesOf(sides.api, sides.engine, sides.postgres), ofApi, ofEngine]);
      if (connections !== 8) continue;
      const target = { atLeast: least };
      figures.push(figure(`${title}: throughput of the API over Postgres's at 8`, ofApi, 'x', target));
      figures.push(figure(`${title}: throughput of OpenSearch over Postgres's at 8`, ofEngine, 'x', target));
    }
  }
  return resultOf(
    'Milliseconds, and requests per second',
    ['Request', 'Conn.', ...timeHeads('API', 'OpenSearch', 'Postgres'), 'API x', 'OpenSearch x'],
    rows,
    figures,
    [
      `${total.toLocaleString('en')} deals of ${QUARTERS} quarters, one file per quarter. Cells: every neighborhood of ${CITY} by quarter and class, with count and quartiles of two amounts. Uncached: each request has another minimum, so that no response is cached, and the request cache of OpenSearch is cleared before every slice. Postgres: one prepared statement that returns JSON, from covering indexes, work_mem 64 MB, vacuumed and analyzed; it neither checks keys nor charges.`,
      `Resident memory in MB after each file: ${rss_mb.join(', ')}.`,
      note,
    ],
  );
}

interface Cell {
  neighborhood_id: number;
  quarter: number;
  land_use_class: string;
  n: number;
  price: number[] | null;
}

/** Checks that both sides return equal counts and nearly equal medians. @throws Error if they differ */
async function agreement({ pool }: Stores, api: ApiProcess): Promise<string> {
  const [request] = cellRequests(1);
  if (!request) throw new Error('no request is available');
  const { cells } = await fetchData<{ cells: unknown[] }>(api, request.path);
  const { text, values } = request.statement;
  const { rows } = await pool.query<[string]>({ text, values: [...values], rowMode: 'array' });
  const theirs = (JSON.parse(rows[0]?.[0] ?? '[]') as Cell[]).map(({ quarter, n, price, ...cell }) => ({
    ...cell,
    quarter: quarterLabel(quarter),
    deal_count: n,
    ...(price && { median_price_sar: price[1] }),
  }));
  const worst = largestDifference({ cells }, { cells: theirs });
  return `${cells.length.toLocaleString('en')} cells have equal counts; medians within ${(worst * 100).toFixed(2)}%.`;
}
