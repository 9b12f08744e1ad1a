import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiProcess, unlimitedKey } from '../api-process.ts';
import type { Bench, Figure, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import type { FlowResult, HttpRequest } from '../load/protocol.ts';
import { median, percentile } from '../load/statistics.ts';
import { processorMs } from '../machine.ts';
import { startApiOnTheDay } from '../market-day.ts';
import type { Facts } from '../requests/facts.ts';
import { getFromApi, type MarketRequest, marketPath, marketRequests } from '../requests/market.ts';

/** Offered load as a multiple of the peak. */
const TIMES = 20;
const SECONDS = 15;
const QUICK_SECONDS = 5;
/** Connections of the closed loops: for finding the peak, and for reproducing the reported collapse. */
const PEAK_CONNECTIONS = [4, 8, 16] as const;
const MANY_CONNECTIONS = 200;
const FLOOD_CONNECTIONS = 700;
/** Load of the other organization: share of the peak for statistics, and low-cost searches per second. */
const OTHER_SHARE = 0.1;
const SEARCHES_PER_SECOND = 20;
/** Milliseconds until pending refunds must be settled. */
const SETTLE_LIMIT = 30_000;

const SEED = 71_000;
const BATCH = 2_000;

type Flooded = 'distinct' | 'equal' | 'comparables';

/** Offers a multiple of the peak from one organization, and measures goodput and the effect on another organization. */
export async function measureOverload(
  bench: Bench,
  corpus: Corpus,
  facts: Facts,
  ids: readonly number[],
): Promise<Pick<PartResult, 'figures' | 'tables' | 'notes'>> {
  const { load, options, signal } = bench;
  const seconds = options.quick ? QUICK_SECONDS : SECONDS;
  const api = await startApiOnTheDay(corpus, options.profileDir);
  const flooding = { ...api, ...(await unlimitedKey(corpus, 'Bench flooding')) };
  const other = { ...api, ...(await unlimitedKey(corpus, 'Bench other')) };
  const distinct = distinctPaths(facts);
  const lists: Readonly<Record<Flooded, () => string>> = {
    distinct,
    equal: () => equal,
    comparables: () => `/v1/listings/${ids[comparable++ % ids.length]}/comparables`,
  };
  let equal = distinct();
  let comparable = 0;
  const make = (kind: Flooded, count: number, caller: ApiProcess): HttpRequest[] => {
    equal = distinct();
    return Array.from({ length: count }, () => getFromApi(lists[kind](), caller));
  };
  const searches = Array.from({ length: 500 }, (_, at) =>
    getFromApi(
      at % 2 === 0
        ? `/v1/listings/${ids[at % ids.length]}`
        : `/v1/listings?city=riyadh&listing_type=rent&price_min=${at}&limit=25`,
      other,
    ),
  );
  const http = (requests: readonly HttpRequest[]) => ({ kind: 'http' as const, origin: api.origin, requests });
  const closedLoop = async (kind: Flooded, connections: number, count: number) => {
    signal.throwIfAborted();
    await load.setSides({ flooding: http(make(kind, count, flooding)) });
    const before = await processorMs(api.pid);
    const slice = await load.run({ side: 'flooding', connections, count });
    const good = count - slice.failures;
    return { ...slice, good: good / slice.seconds, ms: ((await processorMs(api.pid)) - before) / good };
  };

  /**
   * Successes per second while the flood goes to a bare server that does nothing. This is the upper limit for a service on a
   * machine shared with the load generator, because refusals cost as little as possible.
   */
  const besideBareServer = async (kind: Flooded, rate: number, perSecond: number): Promise<number> => {
    const bare = createServer((_request, response) => response.writeHead(503).end('{}')).listen(0, '127.0.0.1');
    await once(bare, 'listening');
    const origin = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
    try {
      await load.setSides({
        bare: { kind: 'http', origin, requests: make('equal', 1, flooding) },
        flooding: http(make(kind, perSecond * seconds, flooding)),
      });
      const [, flow] = await load.runFlows(
        [
          { side: 'bare', perSecond: rate, connections: FLOOD_CONNECTIONS, from: 0 },
          { side: 'flooding', perSecond, connections: FLOOD_CONNECTIONS, from: 0 },
        ],
        seconds,
      );
      return median(flow?.perSecond.slice(1) ?? []);
    } finally {
      bare.closeAllConnections();
      bare.close();
    }
  };

  const rows: (string | number)[][] = [];
  const figures: Figure[] = [];
  try {
    await closedLoop('distinct', 4, options.quick ? 60 : 300);
    const peaks: Record<string, number> = {};
    /** Milliseconds of the API's processor time per success. */
    const successMs: Record<string, number> = {};
    for (const kind of ['distinct', 'comparables'] as const) {
      let best = 0;
      for (const connections of PEAK_CONNECTIONS) {
        const guess = Math.max(100, Math.round((best || 60) * (seconds / 3)));
        const { good, ms } = await closedLoop(kind, connections, guess);
        best = Math.max(best, good);
        successMs[kind] = Math.min(ms, successMs[kind] ?? ms);
      }
      peaks[kind] = best;
    }
    const peak = peaks.distinct as number;
    const many = await closedLoop('distinct', MANY_CONNECTIONS, Math.round(peak * seconds));
    // Equal requests are cached until the listings change, so only the first one is expensive.
    for (const kind of ['distinct', 'equal', 'comparables'] as const) {
      signal.throwIfAborted();
      const capacity = peaks[kind] ?? peak;
      const rate = Math.round(capacity * TIMES);
      const own = Math.max(1, Math.round(peak * OTHER_SHARE));
      const remaining = kind === 'equal' ? capacity : await besideBareServer(kind, rate, Math.round(capacity * 1.2));
      await load.setSides({
        flooding: http(make(kind, rate * seconds, flooding)),
        other: http(make('distinct', own * seconds * 2, other)),
        searches: http(searches),
      });
      const calm = [
        { side: 'other', perSecond: own, connections: 50, from: 0 },
        { side: 'searches', perSecond: SEARCHES_PER_SECOND, connections: 50, from: 0 },
      ];
      const calmBegun = await processorMs(api.pid);
      const [aloneOther, aloneSearches] = await load.runFlows(calm, seconds);
      const calmMs = (await processorMs(api.pid)) - calmBegun;
      const before = await Promise.all([processorMs(api.pid), unitsOf(corpus, [flooding, other]), statements(corpus)]);
      const [flood, beside, besideSearches] = await load.runFlows(
        [
          { side: 'flooding', perSecond: rate, connections: FLOOD_CONNECTIONS, from: 0 },
          ...calm.map((flow) => ({ ...flow, from: own * seconds })),
        ],
        seconds,
      );
      const after = await Promise.all([processorMs(api.pid), statements(corpus)]);
      if (!flood || !beside || !besideSearches || !aloneOther || !aloneSearches)
        throw new Error('a flow has no result');
      const units = flood.units + beside.units + besideSearches.units;
      const drift = await settledDrift(corpus, [flooding, other], before[1] + units);
      const served = flood.statuses['200'] ?? 0;
      const refused = flood.sent - served;
      const refusedMs = (after[0] - before[0] - calmMs - served * (successMs[kind] ?? 0)) / refused;
      // The first second fills the queue.
      const good = median(flood.perSecond.slice(1)) + (kind === 'distinct' ? median(beside.perSecond.slice(1)) : 0);
      rows.push([
        kind,
        rate,
        Math.round(capacity),
        Math.round(remaining),
        Math.round(good),
        statusesOf(flood),
        refused === 0 ? '' : refusedMs.toFixed(2),
        ((after[1] - before[2]) / flood.sent).toFixed(2),
        successes(beside),
        `${timesOf(aloneOther)} -> ${timesOf(beside)}`,
        successes(besideSearches),
        `${timesOf(aloneSearches)} -> ${timesOf(besideSearches)}`,
        drift,
      ]);
      const name = `overload, ${kind} requests`;
      figures.push(
        ...(kind === 'equal'
          ? []
          : [
              { name: `${name}: goodput over peak`, value: good / capacity, unit: 'x', target: { atLeast: 0.85 } },
              { name: `${name}: goodput over that with a bare server`, value: good / remaining, unit: 'x' },
            ]),
        {
          name: `${name}: failed calls of the other organization`,
          value: failuresOf(beside, besideSearches),
          unit: '',
          target: { atMost: 0 },
        },
        { name: `${name}: drift of charges`, value: Math.abs(drift), unit: 'units', target: { atMost: 0 } },
        ...(refused === 0
          ? []
          : [{ name: `${name}: processor time of a refusal`, value: refusedMs, unit: 'ms', target: { atMost: 0.3 } }]),
        { name: `${name}: refused`, value: refused, unit: '' },
      );
    }
    figures.push({
      name: `neighborhoods, ${MANY_CONNECTIONS} connections: goodput`,
      value: many.good,
      unit: 'a second',
    });
    rows.push([
      `closed loop, ${MANY_CONNECTIONS} connections`,
      '',
      Math.round(peak),
      '',
      Math.round(many.good),
      `${many.failures} failed`,
      '',
      '',
      '',
      '',
      '',
      '',
      '',
    ]);
  } finally {
    await api.stop();
  }
  return {
    figures,
    tables: [
      {
        title: `One organization offers ${TIMES} times the peak for ${seconds} s, another one calls at its normal rate`,
        head: [
          'Requests',
          'offered /s',
          'peak /s',
          'with a bare server /s',
          'good /s',
          'flood by status',
          'API ms per refusal',
          'charges per call',
          'other: 200s',
          'p50/p99 ms alone -> during flood',
          'searches: 200s',
          'p50/p99 ms alone -> during flood',
          'drift',
        ],
        rows,
      },
    ],
    notes: [
      `The peak is the best of closed loops with ${PEAK_CONNECTIONS.join(', ')} connections. Goodput is the successes per second of both organizations, median of the seconds after the first.`,
      'With a bare server: successes while the same flood goes to a server that only refuses, because the load generator uses some of the processor time.',
      'The time of a refusal is the processor time of the API, minus that of the other organization alone and of the same number of successes as at the peak.',
    ],
  };
}

/** An endless sequence of different statistics of whole cities. */
function distinctPaths(facts: Facts): () => string {
  let seed = SEED;
  let left: MarketRequest[] = [];
  return () => {
    if (left.length === 0) left = marketRequests('neighborhoods', facts, BATCH, false, ++seed);
    return marketPath(left.pop() as MarketRequest);
  };
}

const successes = (flow: FlowResult): string => `${flow.statuses['200'] ?? 0} of ${flow.sent}`;
const failuresOf = (...flows: readonly FlowResult[]): number =>
  flows.reduce((sum, { sent, statuses }) => sum + sent - (statuses['200'] ?? 0), 0);
const statusesOf = ({ statuses }: FlowResult): string =>
  Object.entries(statuses)
    .map(([status, times]) => `${times} x ${status}`)
    .join(', ');

function timesOf({ latencies }: FlowResult): string {
  const sorted = latencies.slice().sort();
  return [0.5, 0.99].map((at) => Math.round(percentile(sorted, at))).join('/');
}

/** Units charged so far to the callers' organizations. */
async function unitsOf({ pool }: Corpus, callers: readonly ApiProcess[]): Promise<number> {
  const { rows } = await pool.query<{ units: number }>(
    `select coalesce(sum(c.units), 0)::bigint as units from unit_counters c
       join organizations o on o.id = c.subject_id
      where c.subject = 'organization' and o.public_id = any($1)`,
    [callers.map(({ organization }) => organization)],
  );
  return Number(rows[0]?.units ?? 0);
}

/** Units charged in excess of those expected, after pending refunds are settled. */
async function settledDrift(corpus: Corpus, callers: readonly ApiProcess[], expected: number): Promise<number> {
  for (const deadline = Date.now() + SETTLE_LIMIT; ; await sleep(250)) {
    const drift = (await unitsOf(corpus, callers)) - expected;
    if (drift === 0 || Date.now() > deadline) return drift;
  }
}

/** Transactions of the database so far. */
async function statements({ pool }: Corpus): Promise<number> {
  // Postgres publishes the statistics of a connection after a second of idle time.
  await sleep(1_500);
  const { rows } = await pool.query<{ count: number }>(
    'select (xact_commit + xact_rollback)::bigint as count from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.count ?? 0);
}
