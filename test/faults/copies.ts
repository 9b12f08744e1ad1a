import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { startProcess } from '#test/api-process.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import type { Fault } from './fault.ts';
import { onInstallation } from './installation.ts';
import { land, writeFeed } from './land-feed.ts';

const CALL_LIMIT = 30_000;
const UNLIMITED = { plan: 'enterprise', columns: { units_per_minute: null, units_per_month: null } } as const;

const KEYS = 500;
const CALLS_PER_KEY = 2;
const WAIT_S = 20;
/** All consumers call from one address. */
const CONNECTIONS = { MAX_CONNECTIONS: '4000', MAX_CONNECTIONS_PER_ADDRESS: '2000' };
/** Milliseconds of the measurement, and of waiting calls before it. */
const MEASURED_MS = 60_000;
/** Goals, and the limits that fail: a busy machine takes more time for the same calls. */
const PROCESSOR_GOAL = 0.05;
const MAX_PROCESSOR_SHARE = 0.2;
const DELAY_GOAL_MS = 5_000;
/** A wait: refused consumers repeat their calls. */
const MAX_DELAY_MS = WAIT_S * 1_000;

/** Processor time of a process in milliseconds, in user and system mode. */
async function processorMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export const waitingCopies: Fault = {
  title: `${KEYS * CALLS_PER_KEY} waiting consumers of ${KEYS} keys`,
  happen: () =>
    onInstallation('fault_waiting', async (own) => {
      const { dir, env, services, undo, ingest } = own;
      const ads = (raised: number) => Array.from({ length: 40 }, (_, at) => land(`w${at}`, at, raised));
      await writeFeed(dir, ads(1));
      const api = await startProcess('api', { ...env, ...CONNECTIONS, LOG_LEVEL: 'error' }, /^Serving /);
      undo.push(() => api.end('SIGTERM'));
      await ingest();
      const keys: string[] = [];
      for (let number = 0; number < KEYS / 10; number++) {
        const { id, key } = await createOrganization(services, UNLIMITED);
        keys.push(key);
        for (let more = 1; more < 10; more++) keys.push(await createKey(services, id));
      }
      const dispatcher = new Agent({ connections: KEYS * CALLS_PER_KEY + 10 });
      undo.push(() => dispatcher.destroy());
      const call = async (key: string, query: string) => {
        const init = {
          headers: { Authorization: `Bearer ${key}` },
          signal: AbortSignal.timeout(CALL_LIMIT),
          dispatcher,
        };
        const response = await fetch(`${api.url}/v1/listings/changes?${query}`, init as RequestInit);
        return {
          status: response.status,
          body: (await response.json()) as { data: unknown[]; pagination: { next: number } },
        };
      };
      const { body: begin } = await call(keys[0] as string, 'after=now');
      let running = true;
      /** Times of the responses that have rows, and unexpected statuses. */
      const received: number[] = [];
      const refused: string[] = [];
      const consume = async (key: string, afterMs: number): Promise<void> => {
        await sleep(afterMs);
        for (let after = begin.pagination.next; running; ) {
          const { status, body } = await call(key, `after=${after}&wait_s=${WAIT_S}`);
          if (status !== 200) {
            refused.push(`${status} ${JSON.stringify(body)}`);
            await sleep(1_000);
            continue;
          }
          if (body.data.length > 0) received.push(performance.now());
          after = body.pagination.next;
          if (body.data.length > 0) return;
        }
      };
      // Spread over a wait, as calls that began at any time.
      const consumers = keys.flatMap((key, at) =>
        Array.from({ length: CALLS_PER_KEY }, () => consume(key, (WAIT_S * 1_000 * at) / KEYS)),
      );
      const all = Promise.all(consumers);
      all.catch(() => {});
      await sleep(WAIT_S * 1_000);
      const before = await processorMs(api.process.pid as number);
      await sleep(MEASURED_MS);
      const share = ((await processorMs(api.process.pid as number)) - before) / MEASURED_MS;
      // The run ends all waits, and consumers repeat calls that are refused then.
      const early = refused.length;
      await writeFeed(dir, ads(1.05));
      await ingest();
      const { rows } = await services.pool.query<{ ago: number }>(
        `select extract(epoch from clock_timestamp() - max(completed_at))::float8 * 1000 as ago from ingest_runs where status = 'completed'`,
      );
      const ended = performance.now() - (rows[0]?.ago ?? 0);
      await Promise.race([all, sleep(CALL_LIMIT)]);
      running = false;
      const delays = received.map((at) => at - ended).sort((a, b) => a - b);
      const p99 = delays[Math.floor(delays.length * 0.99)] ?? Number.POSITIVE_INFINITY;
      const [percent, ms] = [(100 * share).toFixed(1), Math.round(p99)];
      const goal = share > PROCESSOR_GOAL ? ` (below target: ${100 * PROCESSOR_GOAL}%)` : '';
      const goalMs = p99 > DELAY_GOAL_MS ? ` (below target: ${DELAY_GOAL_MS} ms)` : '';
      console.log(
        `  waiting took ${percent}% of a processor${goal}; p99 from the end of the run ${ms} ms${goalMs}, ${delays.length} consumers`,
      );
      if (delays.length < keys.length * CALLS_PER_KEY)
        throw new Error(`only ${delays.length} consumers received the run`);
      if (early > 0) throw new Error(`${early} waiting calls were refused, the first: ${refused[0]}`);
      if (share > MAX_PROCESSOR_SHARE) throw new Error(`waiting consumers took ${percent}% of a processor`);
      if (p99 > MAX_DELAY_MS) throw new Error(`p99 from the end of the run was ${ms} ms`);
    }),
};
