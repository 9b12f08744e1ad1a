import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type HttpRequest, sendHttp } from './generator.ts';
import { percentile } from './statistics.ts';

/** A call of a kind, to one of several origins. */
export interface PacedCall {
  kind: string;
  origin: string;
  request: HttpRequest;
}

/** Results of the calls of one kind. */
interface KindResult {
  /** Milliseconds from the time at which a call was due to its response; refused calls apart. */
  times: number[];
  refusedTimes: number[];
  /** Milliseconds from the time at which a call was due until it was sent. */
  delays: number[];
  failures: number;
}

export type PacedResult = Map<string, KindResult>;

const CONNECTIONS = 256;
const LIMIT_MS = 30_000;

/**
 * Sends calls at times that do not depend on responses, as independent clients do. Times count from when a call was due,
 * so that a service that delays the load does not shorten its own times. `paced-thread.ts` runs it in a thread of its own.
 * @param isEnded ends the load early; by default it ends after the last call
 */
export async function sendPaced(
  calls: Iterable<PacedCall>,
  perSecond: number,
  { isEnded = () => false, examples = new Set() }: { isEnded?: () => boolean; examples?: Set<string> } = {},
): Promise<PacedResult> {
  const pools = new Map<string, Pool>();
  const results: PacedResult = new Map();
  const underWay = new Set<Promise<void>>();
  const send = async ({ kind, origin, request }: PacedCall, dueAt: number): Promise<void> => {
    const timeouts = { headersTimeout: LIMIT_MS, bodyTimeout: LIMIT_MS, keepAliveTimeout: 60_000 };
    const pool = pools.get(origin) ?? new Pool(origin, { connections: CONNECTIONS, pipelining: 1, ...timeouts });
    pools.set(origin, pool);
    const result = results.get(kind) ?? { times: [], refusedTimes: [], delays: [], failures: 0 };
    results.set(kind, result);
    result.delays.push(performance.now() - dueAt);
    try {
      await sendHttp(pool, request);
      result.times.push(performance.now() - dueAt);
    } catch (error) {
      const { message } = error as Error;
      if (/^503 .*Too many expensive calls/s.test(message)) result.refusedTimes.push(performance.now() - dueAt);
      else {
        result.failures++;
        if (examples.size < 5) examples.add(message);
      }
    }
  };
  const begun = performance.now();
  let sent = 0;
  for (const call of calls) {
    if (isEnded()) break;
    const dueAt = begun + (sent++ * 1_000) / perSecond;
    const early = dueAt - performance.now();
    if (early > 0) await sleep(early);
    const sending: Promise<void> = send(call, dueAt).finally(() => underWay.delete(sending));
    underWay.add(sending);
  }
  await Promise.all(underWay);
  await Promise.all([...pools.values()].map((pool) => pool.destroy()));
  return results;
}

/** Results of the kinds that a condition selects, together. Times are in milliseconds, 0 without calls. */
export function summarizeKinds(results: PacedResult, isWanted: (kind: string) => boolean = () => true) {
  const some = [...results].flatMap(([kind, result]) => (isWanted(kind) ? [result] : []));
  const times = some.flatMap((each) => each.times);
  const refusedTimes = some.flatMap((each) => each.refusedTimes);
  const failures = some.reduce((sum, each) => sum + each.failures, 0);
  const of = (values: readonly number[], at: number): number => (values.length === 0 ? 0 : percentile(values, at));
  return {
    served: times.length,
    refused: refusedTimes.length,
    failures,
    p50: of(times, 0.5),
    p99: of(times, 0.99),
    refusedP99: of(refusedTimes, 0.99),
    delayP99: of(
      some.flatMap(({ delays }) => delays),
      0.99,
    ),
  };
}
