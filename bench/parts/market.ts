import { type ApiProcess, startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, forEachStep, type PartResult, type Row } from '../bench.ts';
import { type Corpus, marketMoment } from '../corpus/corpus.ts';
import { compare, warmUp } from '../load/compare.ts';
import type { Side } from '../load/protocol.ts';
import { timeHeads, timesOf } from '../load/statistics.ts';
import { marketStatement } from '../postgres/market.ts';
import { makeMarketTable } from '../postgres/tables.ts';
import { readCohorts } from '../requests/cohorts.ts';
import {
  MARKET_KINDS,
  type MarketRequest,
  marketBody,
  marketPath,
  marketRequests,
  marketRequestsOfSize,
  marketWarmUp,
} from '../requests/market.ts';
import { fetchData, largestDifference } from '../requests/responses.ts';
import { apiSide, clearRequestCache, engineSide, postgresSide, SORT_IN_MEMORY } from '../requests/sides.ts';

const NAMES = ['api', 'engine', 'postgres'] as const;
const CONNECTIONS = [1, 8] as const;
/** Requests per slice. */
const SLICE = 24;
/** Number of requests that are compared with Postgres and not timed. */
const CHECKED = 12;
/** Cohort size above which Postgres must be slower, even for uncached requests. */
const LARGE = 2_000;
const AHEAD = { atLeast: 3 };
const AHEAD_CACHED = { atLeast: 10 };
const LARGEST_MS = { atMost: 12 };

const SIZES: readonly (readonly [string, (size: number) => boolean])[] = [
  ['under 2,000', (size) => size > 0 && size < LARGE],
  ['2,000 and more', (size) => size >= LARGE],
];

interface Family {
  title: string;
  requests: MarketRequest[];
}

/** Collects the results of one request family. */
interface Results {
  rows: Row[];
  figures: Figure[];
}

/** Compares market data requests with equivalent queries in Postgres. */
export async function market(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await makeMarketTable(bench, corpus);
  const cohorts = await readCohorts(corpus);
  // Each round at each number of connections sends new requests.
  const length = SLICE * (bench.rounds * CONNECTIONS.length + 1) + CHECKED;
  const notes: string[] = [];
  const families: Family[] = [];
  for (const kind of MARKET_KINDS)
    for (const [size, fits] of SIZES) {
      const requests = await marketRequestsOfSize(corpus, kind, cohorts, length, fits);
      if (requests.length === length) families.push({ title: `${kind}, ${size}`, requests });
      else notes.push(`${kind}, ${size}: skipped, only ${requests.length} of ${length} different requests were found.`);
    }
  // A whole city is the most expensive request, which the comparisons never include.
  for (const kind of MARKET_KINDS)
    if (kind !== 'neighborhoods/compare')
      families.push({ title: `${kind} of the largest city`, requests: marketRequests(kind, cohorts, length, true) });

  const [neutral] = marketRequests('supply', cohorts, 1, true);
  await using api = await startApi(corpus, { profileDir: bench.options.profileDir, clock: marketMoment(corpus) });
  const setSides = (requests: readonly MarketRequest[]) =>
    bench.load.setSides(sidesOf([...requests], neutral as MarketRequest, corpus, api));
  await setSides(marketWarmUp(cohorts));
  await warmUp(bench, NAMES);
  const figures: Figure[] = [];
  const [first, again]: [Row[], Row[]] = [[], []];
  await forEachStep(bench, 'Market', families, async ({ title, requests }) => {
    notes.push(await agreement(title, requests.slice(-CHECKED), corpus, api));
    const steps = [
      ['uncached', measureUncached, requests.slice(0, -CHECKED), first],
      ['again', measureCached, requests.slice(0, SLICE), again],
    ] as const;
    for (const [when, measure, part, rows] of steps) {
      try {
        await setSides(part);
        await measure(bench, corpus, title, { rows, figures });
      } catch (error) {
        bench.signal.throwIfAborted();
        // A request that an engine rejects, for example for lack of memory, must not hide the other results.
        figures.push(figure(`${title}, ${when}: failed`, 1, '', { atMost: 0 }));
        notes.push(`${title}, ${when}: ${String(error).slice(0, 400)}`);
      }
    }
    return title;
  });
  return {
    tables: [
      {
        title: 'Uncached, milliseconds and requests per second',
        head: ['Request', 'Conn.', ...timeHeads('API', 'OpenSearch', 'Postgres'), 'p50 x', '/s x'],
        rows: first,
      },
      {
        title: 'Cached, while the listings do not change',
        head: ['Request', 'Conn.', ...timeHeads('API', 'Postgres'), 'p50 x', '/s x'],
        rows: again,
      },
    ],
    figures,
    notes: [
      `Sides alternate, ${bench.rounds} slices each of the same ${SLICE} requests, mostly for large cities. Uncached: no round repeats a request, and OpenSearch's request cache is cleared before every slice; then one other request reloads the version of the listings, which cached responses depend on. Filter and page caches are warm on all sides.`,
      'Postgres: prepared statements that return one JSON text, covering partial B-trees on (city, listing type, optional property type, updated) and on neighborhoods, rows on disk in the order of city, types and neighborhood, work_mem 64 MB, vacuumed and analyzed. Unlike the API, it neither checks keys nor charges. "x": Postgres over the API, inverted for throughput.',
      'Trends are not measured: all listings of a corpus were first seen in one run, which makes one month of history.',
      ...notes,
    ],
  };
}

async function measureUncached(bench: Bench, corpus: Corpus, title: string, { rows, figures }: Results): Promise<void> {
  const before = async (side: string): Promise<void> => {
    await clearRequestCache(corpus);
    if (side === 'api') await bench.load.run({ side: 'neutral', connections: 1, count: 1 });
  };
  for (const [at, connections] of CONNECTIONS.entries()) {
    const from = SLICE * (1 + at * bench.rounds);
    const { api, engine, postgres } = (await compare(bench, NAMES, { connections, count: SLICE, from, before })).sides;
    const [p50, rate] = [postgres.p50 / api.p50, api.per_second / postgres.per_second];
    rows.push([title, connections, ...timesOf(api, engine, postgres), p50, rate]);
    if (connections === 1) {
      figures.push(figure(`${title}: p50 of Postgres over the API's`, p50, 'x', AHEAD));
      figures.push(figure(`${title}: p50 of Postgres over OpenSearch's`, postgres.p50 / engine.p50, 'x', AHEAD));
      if (title === 'summary of the largest city') figures.push(figure(`${title}: p50`, api.p50, 'ms', LARGEST_MS));
    } else {
      const over = `over Postgres's at ${connections}`;
      const ofEngine = engine.per_second / postgres.per_second;
      figures.push(figure(`${title}: throughput of the API ${over}`, rate, 'x', AHEAD));
      figures.push(figure(`${title}: throughput of OpenSearch ${over}`, ofEngine, 'x', AHEAD));
    }
  }
}

async function measureCached(bench: Bench, _: Corpus, title: string, { rows, figures }: Results): Promise<void> {
  for (const connections of CONNECTIONS) {
    const { sides } = await compare(bench, ['api', 'postgres'], {
      connections,
      rounds: Math.ceil(bench.rounds / 3),
      sliceMs: bench.sliceMs / 2,
      count: SLICE,
    });
    const { api, postgres } = sides;
    const [p50, rate] = [postgres.p50 / api.p50, api.per_second / postgres.per_second];
    rows.push([title, connections, ...timesOf(api, postgres), p50, rate]);
    figures.push(
      connections === 1
        ? figure(`${title} cached: p50 of Postgres over the API's`, p50, 'x', AHEAD_CACHED)
        : figure(`${title} cached: throughput of the API over Postgres's at ${connections}`, rate, 'x', AHEAD_CACHED),
    );
  }
}

function sidesOf(requests: MarketRequest[], neutral: MarketRequest, corpus: Corpus, api: ApiProcess) {
  const now = marketMoment(corpus);
  const statements = requests.map((request) => marketStatement(request, now));
  const bodies = requests.map((request) => marketBody(request, now));
  return {
    api: apiSide(api, requests.map(marketPath)),
    neutral: apiSide(api, [marketPath(neutral)]),
    engine: engineSide(corpus, bodies),
    postgres: postgresSide(corpus, statements, SORT_IN_MEMORY),
  } satisfies Record<string, Side>;
}

/** Checks that counts are equal and percentiles nearly. @throws Error naming the first request that differs */
async function agreement(
  title: string,
  requests: readonly MarketRequest[],
  corpus: Corpus,
  api: ApiProcess,
): Promise<string> {
  let worst = 0;
  let listings = 0;
  for (const request of requests) {
    const data = await fetchData<Record<string, unknown>>(api, marketPath(request));
    listings += Number(data.sample_size ?? 0);
    const { text, values } = marketStatement(request, marketMoment(corpus));
    const { rows } = await corpus.pool.query<[string]>({ text, values: values as unknown[], rowMode: 'array' });
    const theirs = JSON.parse(rows[0]?.[0] ?? '{}') as Record<string, unknown>;
    worst = Math.max(worst, largestDifference(data, theirs));
  }
  const size = listings === 0 ? '' : ` of ${Math.round(listings / requests.length).toLocaleString('en')} listings each`;
  return `${title}: ${requests.length} other requests${size} had equal results: counts exactly, quartiles within ${(worst * 100).toFixed(2)}%.`;
}
