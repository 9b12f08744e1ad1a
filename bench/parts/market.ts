import type { ApiProcess } from '../api-process.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { compare, summarize, timeHeads, timesOf } from '../load/generator.ts';
import type { Side } from '../load/protocol.ts';
import { takeTurns, warmUp } from '../load/turns.ts';
import { marketMoment, startApiOnTheDay } from '../market-day.ts';
import { marketSide, marketStatement } from '../postgres/market.ts';
import { makeMarketTable } from '../postgres/market-table.ts';
import { fetchJson } from '../requests/answers.ts';
import { readFacts } from '../requests/facts.ts';
import { clearRequestCache } from '../requests/http-requests.ts';
import {
  MARKET_KINDS,
  type MarketFacts,
  type MarketKind,
  type MarketRequest,
  marketApiRequest,
  marketEngineRequest,
  marketFacts,
  marketRequests,
  marketRequestsOfSize,
  marketWarmUp,
} from '../requests/market.ts';

const NAMES = ['api', 'engine', 'postgres'] as const;
const CONNECTIONS = [1, 8] as const;
/** Requests per slice. */
const SLICE = 24;
/** Requests that are compared with Postgres and not timed. */
const CHECKED = 12;
/** Cohort size from which on Postgres must be slower, even for uncached requests. */
const LARGE = 2_000;
const MIN_AHEAD = 3;
const MIN_AHEAD_REPEATED = 10;
/** Milliseconds. */
const MAX_OF_LARGEST = 12;

const SIZES: readonly (readonly [string, (size: number) => boolean])[] = [
  ['under 2,000', (size) => size > 0 && size < LARGE],
  ['2,000 and more', (size) => size >= LARGE],
];

interface Family {
  title: string;
  requests: MarketRequest[];
}

/** Compares market data with the same queries in Postgres. */
export const marketPart: Part = {
  name: 'market',
  summary: 'market data against Postgres with percentile_cont, uncached and cached',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await makeMarketTable(bench, corpus);
  const facts = await readFacts(corpus);
  // Each round of each number of connections sends new requests.
  const length = SLICE * (bench.rounds * CONNECTIONS.length + 1) + CHECKED;
  const notes: string[] = [];
  const bySize: Family[] = [];
  for (const kind of MARKET_KINDS)
    for (const [size, fits] of SIZES) {
      const requests = await marketRequestsOfSize(corpus, kind, facts, length, fits);
      if (requests.length === length) bySize.push({ title: `${kind}, ${size}`, requests });
      else notes.push(`${kind}, ${size}: skipped, only ${requests.length} of ${length} different requests were found.`);
    }
  const families: Family[] = [
    ...bySize,
    // A whole city is the most expensive request. Comparisons never cover one.
    ...MARKET_KINDS.filter((kind) => kind !== 'neighborhoods/compare').map((kind) => ({
      title: `${kind} of the largest city`,
      requests: marketRequests(kind, facts, length, true),
    })),
  ];
  const api = await startApiOnTheDay(corpus, bench.options.profileDir);
  await bench.load.setSides(sidesOf(marketWarmUp(facts), corpus, api));
  await warmUp(bench, NAMES);
  const bar = bench.screen.progress('Market', families.length);
  const first: (string | number)[][] = [];
  const again: (string | number)[][] = [];
  const figures: Figure[] = [];
  try {
    for (const [at, { title, requests }] of families.entries()) {
      bench.signal.throwIfAborted();
      notes.push(await agreement(title, requests.slice(-CHECKED), corpus, api));
      const steps = {
        uncached: () => measureFirst(bench, corpus, api, title, requests.slice(0, -CHECKED), first, figures),
        again: () => measureAgain(bench, corpus, api, title, requests.slice(0, SLICE), again, figures),
      };
      for (const [when, measure] of Object.entries(steps)) {
        try {
          await measure();
        } catch (error) {
          bench.signal.throwIfAborted();
          // A request that an engine rejects, for example for lack of memory, must not hide the other results.
          figures.push({ name: `${title}, ${when}: failed`, value: 1, unit: '', target: { atMost: 0 } });
          notes.push(`${title}, ${when}: ${String(error).slice(0, 400)}`);
        }
      }
      bar.update(at + 1, title);
    }
  } finally {
    bar.end();
    await api.stop();
  }
  return {
    tables: [
      {
        title: 'Uncached, milliseconds and requests per second',
        head: ['Question', 'Conn.', ...timeHeads('API', 'OpenSearch', 'Postgres'), 'p50 x', '/s x'],
        rows: first,
      },
      {
        title: 'Cached, while the listings do not change',
        head: ['Question', 'Conn.', ...timeHeads('API', 'Postgres'), 'p50 x', '/s x'],
        rows: again,
      },
    ],
    figures,
    notes: [
      `Sides alternate, ${bench.rounds} slices each of the same ${SLICE} requests, mostly for large cities. Uncached: no round repeats a request, and OpenSearch's request cache is cleared before every slice; then one other request reloads the version of the listings, which cached responses depend on. Filter and page caches are warm on all sides.`,
      'Postgres: prepared statements that return one JSON text, covering partial B-trees on (city, listing type, optional property type, updated) and on neighborhoods, rows on disk in the order of city, types and neighborhood, work_mem 64 MB, vacuumed and analyzed. Unlike the API, it neither checks keys nor charges. "x": Postgres over the API, inverted for throughput.',
      'Trends are a separate part: all listings of a corpus were first seen in one run, which makes one month of history.',
      ...notes,
    ],
  };
}

async function measureFirst(
  bench: Bench,
  corpus: Corpus,
  api: ApiProcess,
  title: string,
  requests: readonly MarketRequest[],
  rows: (string | number)[][],
  figures: Figure[],
): Promise<void> {
  const [neutral] = marketRequests('supply', await readFacts(corpus), 1, true);
  if (!neutral) throw new Error('no request is available');
  await bench.load.setSides({
    ...sidesOf(requests, corpus, api),
    neutral: { kind: 'http', origin: api.origin, requests: [marketApiRequest(neutral, api)] },
  });
  const before = async (side: string): Promise<void> => {
    await clearRequestCache(corpus);
    if (side === 'api') await bench.load.run({ side: 'neutral', connections: 1, count: 1 });
  };
  for (const [at, connections] of CONNECTIONS.entries()) {
    const options = { connections, count: SLICE, before };
    // Opens connections and lets code and Postgres plans warm up. The slices with 8 connections repeat the first
    // requests of those with 1.
    if (at === 0) await takeTurns(bench.load, NAMES, { ...options, rounds: 1, from: 0 });
    else for (const side of NAMES) await bench.load.run({ side, connections, count: SLICE, from: 0 });
    const from = SLICE * (1 + at * bench.rounds);
    const slices = await takeTurns(bench.load, NAMES, { ...options, rounds: bench.rounds, from });
    const [ours, engine, postgres] = NAMES.map((name) => summarize(slices[name] ?? []));
    if (!ours || !engine || !postgres) throw new Error('a side was not measured');
    rows.push([
      title,
      connections,
      ...timesOf([ours, engine, postgres]),
      postgres.p50 / ours.p50,
      ours.per_second / postgres.per_second,
    ]);
    const target = { unit: 'x', target: { atLeast: MIN_AHEAD } };
    if (connections === 1) {
      figures.push({ name: `${title}: p50 of Postgres over the API's`, value: postgres.p50 / ours.p50, ...target });
      figures.push({
        name: `${title}: p50 of Postgres over OpenSearch's`,
        value: postgres.p50 / engine.p50,
        ...target,
      });
      if (title === 'summary of the largest city')
        figures.push({ name: `${title}: p50`, value: ours.p50, unit: 'ms', target: { atMost: MAX_OF_LARGEST } });
    } else {
      figures.push({
        name: `${title}: throughput of the API over Postgres's at ${connections}`,
        value: ours.per_second / postgres.per_second,
        ...target,
      });
      figures.push({
        name: `${title}: throughput of OpenSearch over Postgres's at ${connections}`,
        value: engine.per_second / postgres.per_second,
        ...target,
      });
    }
  }
}

async function measureAgain(
  bench: Bench,
  corpus: Corpus,
  api: ApiProcess,
  title: string,
  requests: readonly MarketRequest[],
  rows: (string | number)[][],
  figures: Figure[],
): Promise<void> {
  await bench.load.setSides(sidesOf(requests, corpus, api));
  for (const connections of CONNECTIONS) {
    const { sides } = await compare(bench.load, ['api', 'postgres'], {
      connections,
      rounds: Math.ceil(bench.rounds / 3),
      sliceMs: bench.sliceMs / 2,
      listLength: requests.length,
    });
    const { api: ours, postgres } = sides;
    if (!ours || !postgres) throw new Error('a side was not measured');
    rows.push([
      title,
      connections,
      ...timesOf([ours, postgres]),
      postgres.p50 / ours.p50,
      ours.per_second / postgres.per_second,
    ]);
    figures.push(
      connections === 1
        ? {
            name: `${title} cached: p50 of Postgres over the API's`,
            value: postgres.p50 / ours.p50,
            unit: 'x',
            target: { atLeast: MIN_AHEAD_REPEATED },
          }
        : {
            name: `${title} cached: throughput of the API over Postgres's at ${connections}`,
            value: ours.per_second / postgres.per_second,
            unit: 'x',
            target: { atLeast: MIN_AHEAD_REPEATED },
          },
    );
  }
}

function sidesOf(requests: readonly MarketRequest[], corpus: Corpus, api: ApiProcess) {
  const now = marketMoment(corpus);
  return {
    api: { kind: 'http', origin: api.origin, requests: requests.map((request) => marketApiRequest(request, api)) },
    engine: {
      kind: 'http',
      origin: new URL(corpus.config.opensearch.urls[0] as string).origin,
      requests: requests.map((request) => marketEngineRequest(request, corpus, now)),
    },
    postgres: marketSide(
      corpus.config.databaseUrl,
      requests.map((request) => marketStatement(request, now)),
    ),
  } satisfies Record<string, Side>;
}

/**
 * Checks that both sides return equal counts and nearly equal percentiles.
 * @throws Error naming the first request with different results
 */
async function agreement(
  title: string,
  requests: readonly MarketRequest[],
  corpus: Corpus,
  api: ApiProcess,
): Promise<string> {
  let worst = 0;
  let listings = 0;
  for (const request of requests) {
    const { kind } = request;
    const data = (await requestJson(api, request)).data;
    listings += Number((data as { sample_size?: number }).sample_size ?? 0);
    const { text, values } = marketStatement(request, marketMoment(corpus));
    const { rows } = await corpus.pool.query<[string]>({ text, values: values as unknown[], rowMode: 'array' });
    const theirs = JSON.parse(rows[0]?.[0] ?? '{}') as Record<string, unknown>;
    worst = Math.max(worst, distance(marketFacts(kind, data), marketFacts(kind, theirs), request));
  }
  const size = listings === 0 ? '' : ` of ${Math.round(listings / requests.length).toLocaleString('en')} listings each`;
  return `${title}: ${requests.length} other requests${size} had equal results: counts exactly, quartiles within ${(worst * 100).toFixed(2)}%.`;
}

/** Largest relative difference between the amounts of both sides. */
function distance(ours: MarketFacts, theirs: MarketFacts, request: MarketRequest): number {
  if (JSON.stringify(ours.counts) !== JSON.stringify(theirs.counts) || ours.amounts.length !== theirs.amounts.length)
    throw new Error(
      `counts differ: ${JSON.stringify(request)}: ${JSON.stringify(ours).slice(0, 300)} and, in Postgres, ${JSON.stringify(theirs).slice(0, 300)}`,
    );
  return ours.amounts.reduce((worst, amount, at) => {
    const exact = theirs.amounts[at] as number;
    return Math.max(worst, exact === amount ? 0 : Math.abs(amount / exact - 1));
  }, 0);
}

async function requestJson(api: ApiProcess, request: { kind: MarketKind; filters: MarketRequest['filters'] }) {
  return (await fetchJson(api.origin, marketApiRequest(request, api))) as { data: Record<string, unknown> };
}
