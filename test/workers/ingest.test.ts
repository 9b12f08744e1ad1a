import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type pg from 'pg';
import { createLogger } from '#observability/logger.ts';
import { createPool } from '#postgres/pool.ts';
import { createDatabase } from '#test/engines.ts';
import { WORKERS } from '#workers/index.ts';
import { ingestWorker } from '#workers/ingest.ts';
import type { IngestReport } from '#workers/worker.ts';

const logger = createLogger('silent');
let pool: pg.Pool;
test.before(async () => {
  pool = createPool(await createDatabase('ingest_worker'), { max: 2 });
});
test.after.always(() => pool?.end());

/** Starts the worker on a pipeline that notes its triggers. */
async function startOn(
  run: (signal: AbortSignal) => Promise<IngestReport | null> = async () => ({ failed: {}, held: {}, stale: {} }),
  sources = ['a'],
  isRebuildDue = async () => false,
) {
  const triggers: string[] = [];
  const ingest = {
    sources,
    isRebuildDue,
    rebuild: async () => true,
    run: ({ trigger, signal }: { trigger: string; signal: AbortSignal }) => {
      triggers.push(trigger);
      return run(signal);
    },
  };
  return { triggers, stop: await ingestWorker.start({ ingest, pool, logger }) };
}

/** What the worker does at once, where the record of runs is of these. */
async function triggersAfter(runs: readonly (readonly [status: string, hoursAgo: number])[]): Promise<string[]> {
  await pool.query('delete from ingest_runs');
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

test.serial('a run begins at once where one was missed or interrupted, and otherwise at its time', async (t) => {
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

test.serial('a restored database is ingested at once, also without a source', async (t) => {
  await pool.query('delete from ingest_runs');
  await pool.query(
    `insert into ingest_runs (id, at, trigger, sources, status) values (1, now(), 'test', '{}', 'completed')`,
  );
  const report = async () => ({ failed: {}, held: {}, stale: {} });
  const { triggers, stop } = await startOn(report, [], async () => true);
  while (triggers.length === 0) await sleep(10);
  await stop();
  t.deepEqual(triggers, ['restore']);
  const failing = await startOn(report, ['a'], () => Promise.reject(new Error('OpenSearch is starting')));
  await failing.stop();
  t.deepEqual(failing.triggers, []);
});

test.serial('stopping ends the run under way and waits for its end', async (t) => {
  await pool.query('delete from ingest_runs');
  let ended = false;
  const { stop } = await startOn(async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await sleep(50);
    ended = true;
    throw signal.reason;
  });
  await stop();
  t.true(ended);
});

test.serial(
  'another process that ingests, a run that fails and feeds that are not there do not end the worker',
  async (t) => {
    for (const run of [async () => null, () => Promise.reject(new Error('disk full'))]) {
      const { triggers, stop } = await startOn(run);
      await t.notThrowsAsync(stop());
      t.deepEqual(triggers, ['catch_up']);
    }
    const { triggers, stop } = await startOn(undefined, []);
    await stop();
    t.deepEqual(triggers, []);
  },
);

test('workers have names of their own', (t) => {
  t.is(new Set(WORKERS.map(({ name }) => name)).size, WORKERS.length);
});
