import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@opensearch-project/opensearch';
import { request as send } from 'undici';
import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { parseQuarter, quarterLabel } from '#domain/official/quarters.ts';
import { writeQuarter } from '#ingest/sample/official.ts';
import { createPool } from '#postgres/pool.ts';
import { cellsBody } from '#queries/transactions/cells.ts';
import { transactionsBody } from '#queries/transactions/search.ts';
import { createOpenSearch, indexNames } from '#search/client.ts';
import { readConfig } from '#src/config.ts';
import { prepareStores } from '#start/stores.ts';
import { type ApiProcess, type ApiStores, startApi } from '../api-process.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import { emptyStores, storesEnv } from '../corpus/corpus.ts';
import type { OfficialMeasurement, OfficialMessage } from '../corpus/official-process.ts';
import { compare, timeHeads, timesOf } from '../load/generator.ts';
import type { HttpRequest, Side, Statement } from '../load/protocol.ts';

const PROCESS = fileURLToPath(new URL('../corpus/official-process.ts', import.meta.url));
const QUARTERS = 20;
const FIRST = parseQuarter('2020-Q3');
const LEFT_OUT = parseQuarter('2023-Q1');
const DEALS = 1_000_000;
const QUICK_DEALS = 60_000;
const SEED = 11;
const CITY = 'riyadh';
const CONNECTIONS = [1, 8] as const;
const MIN_RATE = 10_000;
const MIN_AHEAD = 3;
/** Maximum growth of memory in MB between the first and the last quarters of an import. */
const MAX_GROWTH_MB = 120;

/** A million registered deals: the import, and requests compared with Postgres. */
export const transactionsPart: Part = {
  name: 'transactions',
  summary: 'import of a million registered deals; cells and pages against Postgres',
  run,
};

interface Ground extends ApiStores {
  client: Client;
  measured: OfficialMeasurement;
}

async function run(bench: Bench): Promise<PartResult> {
  const total = bench.options.quick ? QUICK_DEALS : DEALS;
  const ground = await openGround(bench, total);
  try {
    await bench.screen.step('Copying the deals into Postgres', () => fillPostgres(ground));
    const api = await startApi(ground, bench.options.profileDir);
    try {
      return await measureAll(bench, ground, api, total);
    } finally {
      await api.stop();
    }
  } finally {
    await Promise.all([ground.pool.end(), ground.client.close()]);
  }
}

const quarters = Array.from({ length: QUARTERS + 1 }, (_, at) => FIRST + at).filter((quarter) => quarter !== LEFT_OUT);

/** The deals in a dedicated database and indexes; imported if they do not exist. */
async function openGround(bench: Bench, total: number): Promise<Ground> {
  const { context: ground, screen, signal } = bench;
  const name = `bench_transactions_${total}`;
  const env = storesEnv(ground, name);
  const config = readConfig(env);
  const client = createOpenSearch({ urls: config.opensearch.urls, requestTimeout: 60_000 });
  const dir = join(bench.dataDir, 'transactions', String(total));
  const manifest = join(dir, 'manifest.json');
  if (bench.options.reload || !existsSync(manifest)) {
    await rm(dir, { recursive: true, force: true });
    await mkdir(join(dir, 'files'), { recursive: true });
    await screen.step(`Writing ${total.toLocaleString('en')} deals`, async () => {
      for (const quarter of quarters) {
        signal.throwIfAborted();
        writeQuarter(join(dir, 'files', `deals-${quarterLabel(quarter)}.csv`), SEED, quarter, total / QUARTERS);
      }
    });
    await emptyStores(ground, config, client);
    const measured = await screen.step('Importing them', () => importAll(env, join(dir, 'files'), signal));
    await rm(join(dir, 'files'), { recursive: true });
    await writeFile(manifest, JSON.stringify(measured));
  } else await prepareStores(config);
  const measured = JSON.parse(await readFile(manifest, 'utf8')) as OfficialMeasurement;
  const pool = createPool(config.databaseUrl, { max: 4, statementTimeout: 600_000, name: 'bench' });
  return { env, config, pool, client, measured };
}

function importAll(
  env: Readonly<Record<string, string>>,
  dir: string,
  signal: AbortSignal,
): Promise<OfficialMeasurement> {
  const result = Promise.withResolvers<OfficialMeasurement>();
  const child = fork(PROCESS, { env: { ...process.env, ...env } });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  child.on('message', (message: OfficialMessage) => {
    if (message.type === 'done') result.resolve(message.measured);
    else result.reject(new Error(`the import failed: ${message.message}`));
  });
  child.once('exit', (code, by) => result.reject(new Error(`the import process exited (${by ?? code})`)));
  child.send({ dir });
  return result.promise.finally(() => signal.removeEventListener('abort', stop));
}

/** Lays out the deals in Postgres for index-only scans of these requests. */
async function fillPostgres({ pool }: Ground): Promise<void> {
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

/** A request in both forms. */
interface Question {
  path: string;
  /** The query that the API sends to OpenSearch. */
  body: object;
  statement: Statement;
}

const q = (column: string): string => `percentile_cont(array[0.25, 0.5, 0.75]) within group (order by ${column})`;
const CELLS = `select json_agg(c)::text from (
  select neighborhood_id, quarter, land_use_class, count(*) as n,
         case when count(*) >= $4 then ${q('price')} end as price, case when count(*) >= $4 then ${q('price_per_sqm')} end as sqm
    from bench_deals.deals where city = $1 and quarter between $2 and $3 and neighborhood_id is not null
   group by 1, 2, 3 order by 1, 2, 3) c`;

/** All neighborhoods of the largest city over 20 quarters. The minimum makes each request unique. */
const cellQuestions = (count: number): Question[] =>
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

const pageQuestions = (limit: number): Question[] =>
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

async function measureAll(bench: Bench, ground: Ground, api: ApiProcess, total: number): Promise<PartResult> {
  const { measured } = ground;
  const early = Math.max(...measured.rss_mb.slice(0, 5));
  const figures: Figure[] = [
    { name: 'import', value: measured.rows / measured.seconds, unit: 'rows per second', target: { atLeast: MIN_RATE } },
    { name: 'peak resident memory of the import', value: measured.peak_rss_mb, unit: 'MB' },
    {
      name: 'memory in the last five quarters over that in the first five',
      value: Math.max(...measured.rss_mb.slice(-5)) - early,
      unit: 'MB',
      target: { atMost: MAX_GROWTH_MB },
    },
  ];
  const rows: (string | number)[][] = [];
  const note = await agreement(ground, api);
  const index = indexNames(ground.config.opensearch.indexPrefix).transactions;
  const clear = async (): Promise<void> => {
    await ground.client.transport.request({
      method: 'POST',
      path: `/${index}/_cache/clear`,
      querystring: { request: 'true' },
    });
  };
  const families = [
    {
      title: 'cells, uncached',
      questions: cellQuestions(2_000),
      length: 6,
      once: true,
      least: MIN_AHEAD,
    },
    { title: 'cells, cached', questions: cellQuestions(4), length: 4, once: false, least: MIN_AHEAD },
    { title: 'page of 25', questions: pageQuestions(25), length: 48, once: false, least: 1 },
    { title: 'page of 100', questions: pageQuestions(100), length: 48, once: false, least: 1 },
  ];
  for (const { title, questions, length, once, least } of families) {
    const requests = questions.map(
      ({ path }): HttpRequest => ({ method: 'GET', path, headers: { authorization: `Bearer ${api.key}` } }),
    );
    const database = new URL(ground.config.databaseUrl);
    database.searchParams.set('options', '-c work_mem=64MB');
    const statements = questions.map(({ statement }) => statement);
    await bench.load.setSides({
      api: { kind: 'http', origin: api.origin, requests },
      engine: {
        kind: 'http',
        origin: new URL(ground.config.opensearch.urls[0] as string).origin,
        requests: questions.map(({ body }) => ({
          method: 'POST',
          path: `/${index}/_search`,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })),
      },
      postgres: { kind: 'postgres', databaseUrl: database.href, asynchronousCommit: false, statements },
    } satisfies Record<string, Side>);
    for (const connections of CONNECTIONS) {
      bench.signal.throwIfAborted();
      const listLength = once ? Math.max(length, connections) : length;
      const found = await compare(bench.load, ['api', 'engine', 'postgres'], {
        connections,
        rounds: bench.options.quick ? 2 : 5,
        sliceMs: bench.sliceMs,
        listLength,
        once,
        ...(once ? { before: clear } : {}),
      });
      const { api: ours, engine, postgres } = found.sides;
      if (!ours || !engine || !postgres) throw new Error('a side was not measured');
      const ratio = found.ratio('api', 'postgres');
      const own = found.ratio('engine', 'postgres');
      rows.push([title, connections, ...timesOf([ours, engine, postgres]), ratio, own]);
      if (connections !== 8) continue;
      const target = { unit: 'x', target: { atLeast: least } };
      figures.push({ name: `${title}: throughput of the API over Postgres's at 8`, value: ratio, ...target });
      figures.push({ name: `${title}: throughput of OpenSearch over Postgres's at 8`, value: own, ...target });
    }
  }
  return {
    tables: [
      {
        title: 'Milliseconds, and requests per second',
        head: ['Question', 'Conn.', ...timeHeads('API', 'OpenSearch', 'Postgres'), 'API x', 'OpenSearch x'],
        rows,
      },
    ],
    figures,
    notes: [
      `${total.toLocaleString('en')} deals of ${QUARTERS} quarters, one file per quarter. Cells: every neighborhood of ${CITY} by quarter and class, with count and quartiles of two amounts. Uncached: each request has another minimum, so that no response is cached, and the request cache of OpenSearch is cleared before every slice. Postgres: one prepared statement that returns JSON, from covering indexes, work_mem 64 MB, vacuumed and analyzed; it neither checks keys nor charges.`,
      `Resident memory in MB after each file: ${measured.rss_mb.join(', ')}.`,
      note,
    ],
  };
}

interface ServedCell {
  neighborhood_id: number;
  quarter: string;
  land_use_class: string;
  deal_count: number;
  median_price_sar: number | null;
}

interface Cell {
  neighborhood_id: number;
  quarter: number;
  land_use_class: string;
  n: number;
  price: number[] | null;
}

/** Checks that both sides return equal counts and nearly equal medians. @throws Error if they differ */
async function agreement({ pool }: Ground, api: ApiProcess): Promise<string> {
  const [question] = cellQuestions(1);
  if (!question) throw new Error('no request is available');
  const response = await send(`${api.origin}${question.path}`, { headers: { authorization: `Bearer ${api.key}` } });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${question.path}: ${response.statusCode} ${text.slice(0, 300)}`);
  const { cells } = (JSON.parse(text) as { data: { cells: ServedCell[] } }).data;
  const { text: sql, values } = question.statement;
  const { rows } = await pool.query<[string]>({ text: sql, values: [...values], rowMode: 'array' });
  const theirs = new Map(
    (JSON.parse(rows[0]?.[0] ?? '[]') as Cell[]).map((cell) => [
      `${cell.neighborhood_id} ${quarterLabel(cell.quarter)} ${cell.land_use_class}`,
      cell,
    ]),
  );
  if (theirs.size !== cells.length) throw new Error(`Postgres has ${theirs.size} cells, the API ${cells.length}`);
  let worst = 0;
  for (const cell of cells) {
    const other = theirs.get(`${cell.neighborhood_id} ${cell.quarter} ${cell.land_use_class}`);
    if (other?.n !== cell.deal_count) throw new Error(`counts differ from Postgres: ${JSON.stringify([cell, other])}`);
    if (cell.median_price_sar !== null && other.price)
      worst = Math.max(worst, Math.abs(cell.median_price_sar / (other.price[1] as number) - 1));
  }
  return `${cells.length.toLocaleString('en')} cells have equal counts; medians within ${(worst * 100).toFixed(2)}%; the response has ${(text.length / 1e6).toFixed(1)} MB.`;
}
