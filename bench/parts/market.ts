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
/** Questions of a slice. */
const SLICE = 24;
/** Questions that are held against Postgres's answer, and not timed. */
const CHECKED = 12;
/** Listings from which on Postgres is to be behind, also where nobody asked before. */
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

/** Market data beside the same questions answered by Postgres. */
export const marketPart: Part = {
  name: 'market',
  summary: 'market data beside Postgres with percentile_cont, asked for the first time and again',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await makeMarketTable(bench, corpus);
  const facts = await readFacts(corpus);
  // Each round of each number of connections asks what nobody asked before.
  const length = SLICE * (bench.rounds * CONNECTIONS.length + 1) + CHECKED;
  const notes: string[] = [];
  const bySize: Family[] = [];
  for (const kind of MARKET_KINDS)
    for (const [size, fits] of SIZES) {
      const requests = await marketRequestsOfSize(corpus, kind, facts, length, fits);
      if (requests.length === length) bySize.push({ title: `${kind}, ${size}`, requests });
      else
        notes.push(`${kind}, ${size}: only ${requests.length} questions of ${length} were found, and none was asked.`);
    }
  const families: Family[] = [
    ...bySize,
    // A city as a whole is the most work that a question can be. Comparisons are never of one.
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
        'for the first time': () =>
          measureFirst(bench, corpus, api, title, requests.slice(0, -CHECKED), first, figures),
        again: () => measureAgain(bench, corpus, api, title, requests.slice(0, SLICE), again, figures),
      };
      for (const [when, measure] of Object.entries(steps)) {
        try {
          await measure();
        } catch (error) {
          bench.signal.throwIfAborted();
          // One question that an engine refuses, for want of memory for instance, must not hide what the others take.
          figures.push({ name: `${title}, asked ${when}: not answered`, value: 1, unit: '', target: { atMost: 0 } });
          notes.push(`${title}, asked ${when}: ${String(error).slice(0, 400)}`);
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
        title: 'Asked for the first time, milliseconds and requests a second',
        head: ['Question', 'Conn.', ...timeHeads('API', 'OpenSearch', 'Postgres'), 'p50 x', '/s x'],
        rows: first,
      },
      {
        title: 'Asked again while the listings are as they were',
        head: ['Question', 'Conn.', ...timeHeads('API', 'Postgres'), 'p50 x', '/s x'],
        rows: again,
      },
    ],
    figures,
    notes: [
      `Sides take turns, ${bench.rounds} slices each of the same ${SLICE} questions, large cities mostly. For the first time: no round repeats a question, and the engine's cache of whole answers is emptied before every slice; then one other question brings back the state of the listings, which answers are kept by. Filter and page caches are warm for all.`,
      'Postgres: prepared statements with one JSON text for an answer, covering partial B-trees on (city, listing type, property type or not, updated) and on neighborhoods, rows on disk in the order of city, types and neighborhood, work_mem 64 MB, vacuumed and analyzed. It checks no key and charges nobody; the API does both. "x": Postgres over the API, or the other way round for throughput.',
      'Trends are a part of their own: all listings of a corpus were first seen in one run, which makes one month of history.',
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
  if (!neutral) throw new Error('there is no question');
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
    // Connections open, code gets warm, and Postgres settles on plans. Those of 8 repeat what those of 1 began with.
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
            name: `${title} again: p50 of Postgres over the API's`,
            value: postgres.p50 / ours.p50,
            unit: 'x',
            target: { atLeast: MIN_AHEAD_REPEATED },
          }
        : {
            name: `${title} again: throughput of the API over Postgres's at ${connections}`,
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
 * Both sides must answer alike: counts to the listing, percentiles nearly.
 * @throws Error naming the first question that they answer differently
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
  return `${title}: ${requests.length} other questions${size} were answered alike, counts exactly, quartiles within ${(worst * 100).toFixed(2)}%.`;
}

/** The largest share by which an amount of one differs from the other's. */
function distance(ours: MarketFacts, theirs: MarketFacts, request: MarketRequest): number {
  if (JSON.stringify(ours.counts) !== JSON.stringify(theirs.counts) || ours.amounts.length !== theirs.amounts.length)
    throw new Error(
      `Postgres counts differently: ${JSON.stringify(request)}: ${JSON.stringify(ours).slice(0, 300)} and ${JSON.stringify(theirs).slice(0, 300)}`,
    );
  return ours.amounts.reduce((worst, amount, at) => {
    const exact = theirs.amounts[at] as number;
    return Math.max(worst, exact === amount ? 0 : Math.abs(amount / exact - 1));
  }, 0);
}

async function requestJson(api: ApiProcess, request: { kind: MarketKind; filters: MarketRequest['filters'] }) {
  return (await fetchJson(api.origin, marketApiRequest(request, api))) as { data: Record<string, unknown> };
}
