import type pg from 'pg';
import { planRetry, readRetry, saveRetry, startIngest } from '#app/workers/ingest-worker.ts';
import { StoreError } from '#domain/store-error.ts';
import { BusyError, INGEST_RUN } from '#ingest/postgres/writer.ts';
import { outageOf } from '#ingest/run/outage.ts';
import { createLogger } from '#src/observability/logger.ts';
import { systemClock } from '#src/services.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { createDatabase } from '#test/engines.ts';
import { eventually } from '#test/eventually.ts';
import { test } from '#test/test.ts';

let pool: pg.Pool;
test.before(async () => {
  pool = createPool(await createDatabase('ingest_worker'), { max: 2 });
});
test.after(() => pool.end());
test.beforeEach(() => pool.query('delete from ingest_runs; delete from ingest_retries'));

const REPORT = { failed: {}, held: {}, stale: {} };
const outage = (): Promise<never> =>
  Promise.reject(new StoreError('opensearch', true, new Error('connect ECONNREFUSED')));

/** Starts the worker with a fake pipeline that counts the runs. */
async function startOn(run: () => Promise<typeof REPORT> = async () => REPORT, sources = ['a']) {
  const state = { runs: 0 };
  const ingest = {
    sources,
    run: () => {
      state.runs += 1;
      return run();
    },
  };
  const services = { ingest, pool, logger: createLogger('silent'), clock: systemClock };
  return { state, stop: await startIngest(services) };
}

const addRun = (status: string, hoursAgo: number) =>
  pool.query(
    `insert into ingest_runs (id, at, trigger, sources, status)
     select coalesce(max(id), 0) + 1, now() - make_interval(hours => $1), 'test', '{}', $2 from ingest_runs`,
    [hoursAgo, status],
  );

for (const [recorded, runs] of [
  ['', 1],
  ['completed 14', 1],
  ['completed 12', 0],
  ['completed 30, failed 1', 1],
  ['completed 30, running 1', 1],
] as const)
  test(`with the runs "${recorded}" hours ago, the worker starts ${runs} runs immediately`, async (t) => {
    for (const [, status = '', hours] of recorded.matchAll(/(\w+) (\d+)/g)) await addRun(status, Number(hours));
    const { state, stop } = await startOn();
    await stop();
    t.is(state.runs, runs);
  });

test('a skipped or failed run does not stop the ingest worker, and without sources no run starts', async (t) => {
  for (const error of [new BusyError('an ingest run', INGEST_RUN), new Error('disk full')]) {
    const { state, stop } = await startOn(() => Promise.reject(error));
    await t.notThrowsAsync(stop());
    t.is(state.runs, 1);
  }
  const { state, stop } = await startOn(undefined, []);
  await stop();
  t.is(state.runs, 0);
});

test('a run that fails because a datastore is unavailable is retried, and any other error ends the retries', async (t) => {
  const outcomes = [outage, outage, () => Promise.reject(new TypeError('a defect'))];
  let recorded = 0;
  const { state, stop } = await startOn(async () => {
    recorded = Math.max(recorded, (await readRetry(pool))?.failures ?? 0);
    return (outcomes.shift() ?? (async () => REPORT))();
  });
  await eventually(() => state.runs === 3);
  await eventually(async () => (await readRetry(pool)) === null);
  await stop();
  t.deepEqual([state.runs, recorded], [3, 2]);
});

test('stopping the worker ends a retry delay immediately, and the next process retries', async (t) => {
  const first = await startOn(outage);
  await eventually(async () => (await readRetry(pool)) !== null);
  await first.stop();
  t.is(first.state.runs, 1);
  // Simulates a worker that was killed during a long retry delay, although a recent run was completed.
  await saveRetry(pool, planRetry({ since: new Date(), failures: 20 }, 'opensearch', Date.now(), 1));
  await addRun('completed', 0);
  const second = await startOn();
  await second.stop();
  t.is(second.state.runs, 1);
});

test('an unavailable datastore is an outage, and an error of a statement is not', (t) => {
  for (const [code, message, store] of [
    ['57P03', 'the database system is starting up', 'postgres'],
    [undefined, 'Connection terminated unexpectedly', 'postgres'],
    ['57014', 'canceling statement due to statement timeout', undefined],
    ['23505', 'duplicate key', undefined],
    [undefined, 'undefined is not a function', undefined],
  ] as const)
    t.is(outageOf(Object.assign(new Error(message), { code }))?.store, store, message);
});
