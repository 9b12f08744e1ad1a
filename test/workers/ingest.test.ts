import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type pg from 'pg';
import { readStatus, statusText } from '#cli/commands/ingest.ts';
import { StoreError } from '#domain/store-error.ts';
import { outageOf } from '#ingest/run/outage.ts';
import { createLogger } from '#observability/logger.ts';
import { createPool } from '#postgres/pool.ts';
import { OpenSearch } from '#search/client.ts';
import { openListingIndex } from '#search/listing-index/index.ts';
import { systemClock } from '#src/services.ts';
import { createDatabase } from '#test/engines.ts';
import { eventually } from '#test/eventually.ts';
import { test } from '#test/test.ts';
import { WORKERS } from '#workers/index.ts';
import { ingestWorker, nextScheduledRun } from '#workers/ingest.ts';
import { planRetry, readRetry, saveRetry } from '#workers/ingest-retry.ts';
import type { IngestReport } from '#workers/worker.ts';

const logger = createLogger('silent');
let pool: pg.Pool;
test.before(async () => {
  pool = createPool(await createDatabase('ingest_worker'), { max: 2 });
});
test.after(() => pool.end());

/** Starts the worker with a fake pipeline that records the trigger of each run. */
async function startOn(
  run: (signal: AbortSignal) => Promise<IngestReport | null> = async () => ({ failed: {}, held: {}, stale: {} }),
  sources = ['a'],
) {
  const triggers: string[] = [];
  const logged: string[] = [];
  const info = (message: unknown) => logged.push(String(message));
  const ingest = {
    sources,
    isRepairDue: async () => false,
    repair: async () => true,
    fill: async () => true,
    run: ({ trigger, signal }: { trigger: string; signal: AbortSignal }) => {
      triggers.push(trigger);
      return run(signal);
    },
  };
  const noting = Object.assign(Object.create(logger) as typeof logger, { info });
  return { triggers, logged, stop: await ingestWorker.start({ ingest, pool, logger: noting, clock: systemClock }) };
}

/** Returns the triggers of runs that the worker starts immediately, given the recorded runs. */
async function triggersAfter(runs: readonly (readonly [status: string, hoursAgo: number])[]): Promise<string[]> {
  await pool.query('delete from ingest_runs; delete from ingest_retries');
  for (const [index, [status, hours]] of runs.entries())
    await pool.query(
      `insert into ingest_runs (id, at, trigger, sources, status)
       values ($1, now() - make_interval(hours => $2), 'test', '{}', $3)`,
      [index + 1, hours, status],
    );
  const { triggers, stop } = await startOn();
  await stop();
  return triggers;
}

test('a run starts immediately after a missed, failed or interrupted run, otherwise as scheduled', async (t) => {
  t.deepEqual(await triggersAfter([]), ['catch_up']);
  t.deepEqual(await triggersAfter([['completed', 14]]), ['catch_up']);
  t.deepEqual(await triggersAfter([['completed', 12]]), []);
  for (const status of ['failed', 'running'])
    t.deepEqual(
      await triggersAfter([
        ['completed', 30],
        [status, 1],
      ]),
      ['catch_up'],
      status,
    );
});

test('stopping the worker aborts the current run and waits until it has ended', async (t) => {
  await pool.query('delete from ingest_runs');
  const aborted = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const { stop } = await startOn(async (signal) => {
    signal.addEventListener('abort', () => aborted.resolve(), { once: true });
    await end.promise;
    throw signal.reason;
  });
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await aborted.promise;
  await turn();
  t.false(stopped);
  end.resolve();
  await stopping;
});

test('a skipped or failed run does not stop the ingest worker, and without sources no run starts', async (t) => {
  for (const run of [async () => null, () => Promise.reject(new Error('disk full'))]) {
    const { triggers, stop } = await startOn(run);
    await t.notThrowsAsync(stop());
    t.deepEqual(triggers, ['catch_up']);
  }
  const { triggers, stop } = await startOn(undefined, []);
  await stop();
  t.deepEqual(triggers, []);
});

const outage = (): Promise<never> =>
  Promise.reject(new StoreError('opensearch', true, new Error('connect ECONNREFUSED')));

test('a run that fails because a datastore is unavailable is retried, and the next retry is recorded', async (t) => {
  await pool.query('delete from ingest_runs; delete from ingest_retries');
  let available = false;
  const { triggers, stop } = await startOn(async () => {
    if (!available) return outage();
    // Like the pipeline, which clears the retry when a run completes.
    await saveRetry(pool, null);
    return { failed: {}, held: {}, stale: {} };
  });
  await eventually(async () => (await readRetry(pool))?.failures === 2);
  const retry = await readRetry(pool);
  t.is(retry?.reason, 'opensearch is unavailable: connect ECONNREFUSED');
  t.true((retry?.next_at.getTime() ?? 0) > (retry?.since.getTime() ?? 0));
  const shown = statusText(await readStatus(pool), Date.now());
  t.regex(shown, /Next try: 20\d\d-.*Z; \d tr.* failed since .*: opensearch is unavailable/);
  available = true;
  await eventually(async () => (await readRetry(pool)) === null);
  await stop();
  t.deepEqual(triggers, ['catch_up', 'catch_up', 'catch_up']);
});

test('stopping the worker ends a retry delay immediately, and the next process retries', async (t) => {
  await pool.query('delete from ingest_runs; delete from ingest_retries');
  const first = await startOn(outage);
  await eventually(async () => (await readRetry(pool)) !== null);
  const retry = planRetry({ since: new Date(), failures: 20 }, 'opensearch', Date.now(), 1);
  await first.stop();
  t.is(first.triggers.length, 1);
  // Simulates a worker that was killed during a long retry delay, although a recent run was completed.
  await saveRetry(pool, retry);
  await pool.query(
    `insert into ingest_runs (id, at, trigger, sources, status) values (1, now(), 'test', '{}', 'completed')`,
  );
  const second = await startOn();
  await second.stop();
  t.deepEqual(second.triggers, ['catch_up']);
});

test('a retry is cancelled if another process has completed the run', async (t) => {
  await pool.query('delete from ingest_runs; delete from ingest_retries');
  const { triggers, logged, stop } = await startOn(outage);
  await eventually(async () => (await readRetry(pool)) !== null);
  await saveRetry(pool, null);
  await eventually(() => logged.includes('another process completed the ingest run'));
  await stop();
  t.is(triggers.length, 1);
});

test('an error other than an outage is not retried and cancels a pending retry', async (t) => {
  await pool.query('delete from ingest_runs; delete from ingest_retries');
  let runs = 0;
  const { triggers, stop } = await startOn(() => {
    runs += 1;
    return runs === 1 ? outage() : Promise.reject(new TypeError('a defect'));
  });
  await eventually(() => runs === 2);
  await eventually(async () => (await readRetry(pool)) === null);
  await stop();
  t.is(triggers.length, 2);
});

test('retry delays increase up to a limit, and retries end before the next scheduled run', (t) => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (random) => {
      let now = Date.UTC(2026, 10, 22);
      const begun = now;
      let tries = 0;
      for (let retry = planRetry(null, 'opensearch', now, 1); retry !== null; ) {
        const wait = retry.next_at.getTime() - now;
        const longest = Math.min(2_000 * 2 ** (retry.failures - 1), 600_000);
        // The tolerance of 1 ms covers dates, which are rounded to milliseconds.
        t.true(wait > longest / 2 - 1 && wait <= longest, `${wait} of ${longest} ms`);
        now = retry.next_at.getTime();
        tries += 1;
        retry = planRetry(retry, 'opensearch', now, random.next().value);
      }
      t.true(now - begun <= 11 * 3_600_000 && now - begun > 10.5 * 3_600_000);
      t.true(tries < 160, `${tries} tries`);
    }),
    { numRuns: 20 },
  );
  const next = nextScheduledRun();
  t.true(next !== null && next.getTime() > Date.now() && next.getTime() - Date.now() <= 12 * 3_600_000);
});

test('every worker has a unique name', (t) => {
  t.is(new Set(WORKERS.map(({ name }) => name)).size, WORKERS.length);
});

test('an unavailable datastore is an outage, and a pipeline error is not', async (t) => {
  const unavailable = new OpenSearch({ urls: ['http://127.0.0.1:1'], requestTimeout: 5_000, maxRetries: 0 });
  const error = await openListingIndex(unavailable).catch((reason: unknown) => reason);
  t.is(outageOf(error)?.store, 'opensearch');
  await unavailable.close();
  t.is(outageOf(new TypeError('undefined is not a function')), null);
  t.is(outageOf(Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })), null);
  t.is(outageOf(Object.assign(new Error('duplicate key'), { code: '23505' })), null);
  t.is(outageOf(Object.assign(new Error('the database system is starting up'), { code: '57P03' }))?.store, 'postgres');
  t.is(outageOf(new Error('Connection terminated unexpectedly'))?.store, 'postgres');
});
