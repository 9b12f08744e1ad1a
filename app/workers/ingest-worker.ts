import { setTimeout as sleep } from 'node:timers/promises';
import cron from 'node-cron';
import type pg from 'pg';
import { type Backoff, backoffMs } from '#domain/backoff.ts';
import { StoreError } from '#domain/store-error.ts';
import { BusyError } from '#ingest/postgres/writer.ts';
import { outageOf } from '#ingest/run/outage.ts';
import type { RunReport } from '#ingest/run/run-state.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Stop, WorkerServices } from './worker.ts';

/** Runs start after the portals' nightly and midday updates. */
const SCHEDULE = '0 3,15 * * *';
const ZONE = 'Asia/Riyadh';
/** Age of the last run above which a run starts immediately. */
const MAX_RUN_AGE_HOURS = 13;
/** Milliseconds between attempts to record a retry while Postgres is unavailable. */
const RECORD_EVERY_MS = 5_000;

export function nextScheduledRun(): Date | null {
  const task = cron.createTask(SCHEDULE, () => {}, { timezone: ZONE });
  try {
    return task.getNextRuns(1)[0] ?? null;
  } finally {
    void task.destroy();
  }
}

type IngestServices = Pick<WorkerServices, 'pool' | 'logger' | 'clock'> & {
  ingest: {
    sources: readonly string[];
    run(request: { trigger: string; signal: AbortSignal }): Promise<Pick<RunReport, 'failed' | 'held' | 'stale'>>;
  };
};

/**
 * Runs on schedule, and immediately after a missed or interrupted run, which is resumed. Retries while a datastore is
 * unavailable. When it stops, a run ends at its next checkpoint.
 */
export async function startIngest(services: IngestServices): Promise<Stop> {
  const stopping = new AbortController();
  let running = Promise.resolve();
  const run = (trigger: string): Promise<void> => {
    running = running.then(() => runWithRetries(services, trigger, stopping.signal));
    return running;
  };
  const task = cron.schedule(SCHEDULE, () => run('schedule'), { timezone: ZONE, noOverlap: true });
  if (await isDue(services.pool)) void run('catch_up');
  return async () => {
    await task.destroy();
    stopping.abort();
    await running;
  };
}

async function runWithRetries(services: IngestServices, trigger: string, signal: AbortSignal): Promise<void> {
  const { pool, logger, clock } = services;
  for (let retry: IngestRetry | null = null; !signal.aborted; ) {
    const outcome = await runOnce(services, trigger, signal);
    if (signal.aborted) return;
    if (outcome === 'completed' || (outcome === 'busy' && retry === null)) return;
    // A broken connection may hold the lock for a while.
    const reason = outcome instanceof StoreError ? outcome.message : 'another process ingests';
    retry = outcome === 'failed' ? null : planRetry(retry, reason, clock.now(), Math.random());
    if (retry === null) {
      if (outcome !== 'failed')
        logger.error({ reason }, 'ingest run not retried any more; the next scheduled run resumes it');
      await saveRetry(pool, null).catch((error: unknown) => logger.error({ err: error }, 'ingest retry not deleted'));
      return;
    }
    const { failures, next_at: nextTry } = retry;
    logger.error({ reason, failures, next_try: nextTry.toISOString() }, 'ingest run failed, will retry');
    if (!(await waitForRetry(services, retry, signal))) return;
  }
}

/** @returns false if another process has completed the run */
async function waitForRetry({ pool, logger, clock }: IngestServices, retry: IngestRetry, signal: AbortSignal) {
  let recorded = false;
  for (;;) {
    recorded ||= await saveRetry(pool, retry).then(
      () => true,
      () => false,
    );
    const left = retry.next_at.getTime() - clock.now();
    if (signal.aborted || left <= 0) break;
    await sleep(recorded ? left : Math.min(left, RECORD_EVERY_MS), undefined, { signal }).catch(() => {});
  }
  if (!recorded || signal.aborted) return true;
  const current = await readRetry(pool).catch(() => retry);
  if (current === null) logger.info('another process completed the ingest run');
  return current !== null;
}

/** @returns a StoreError if a datastore was unavailable */
async function runOnce(
  { ingest, logger }: IngestServices,
  trigger: string,
  signal: AbortSignal,
): Promise<'completed' | 'busy' | 'failed' | StoreError> {
  if (ingest.sources.length === 0) {
    logger.warn('no source has a feed here: set FEEDS_DIR');
    return 'completed';
  }
  try {
    const report = await ingest.run({ trigger, signal });
    logger.info({ report }, 'ingest run completed');
    for (const trouble of ['failed', 'held', 'stale'] as const)
      for (const [source, reason] of Object.entries(report[trouble]))
        logger.warn({ source, reason }, `feed ${trouble}`);
    return 'completed';
  } catch (error) {
    if (error instanceof BusyError && error.isRun) {
      logger.info('another process ingests');
      return 'busy';
    }
    const outage = error instanceof BusyError ? new StoreError('opensearch', true, error) : outageOf(error);
    if (outage !== null) return outage;
    if (signal.aborted) logger.info('ingest run interrupted');
    else logger.error({ err: error }, 'ingest run failed; the next scheduled run resumes it');
    return 'failed';
  }
}

/** Returns whether the last run is too old or incomplete, or a retry is pending. */
async function isDue(pool: pg.Pool): Promise<boolean> {
  const row = await sql.queryOne(
    pool,
    { due: sql.boolean },
    `select coalesce(bool_or(status <> 'completed'), false)
            or coalesce(max(at) < now() - make_interval(hours => $1), true)
            or exists (select from ingest_retries) as due
       from ingest_runs`,
    [MAX_RUN_AGE_HOURS],
  );
  return row.due;
}

/** Retries end after 11 hours in total, because scheduled runs are 12 hours apart. */
const PAUSES: Backoff = { firstMs: 2_000, longestMs: 10 * 60_000 };
const RETRY_FOR_MS = 11 * 3_600_000;

const RETRY = {
  since: sql.timestamp,
  failures: sql.integer,
  next_at: sql.timestamp,
  reason: sql.text,
};
/** A retry after a datastore was unavailable. */
type IngestRetry = sql.RowOf<typeof RETRY>;

/** Returns null if the next scheduled run is soon enough. */
export function planRetry(
  before: Pick<IngestRetry, 'since' | 'failures'> | null,
  reason: string,
  now: number,
  random: number,
): IngestRetry | null {
  const failures = (before?.failures ?? 0) + 1;
  const since = before?.since ?? new Date(now);
  const nextAt = now + backoffMs(PAUSES, failures, random);
  return nextAt - since.getTime() > RETRY_FOR_MS ? null : { since, failures, next_at: new Date(nextAt), reason };
}

/** Returns the retry that any process has recorded; null if none is pending. */
export const readRetry = (pool: pg.Pool): Promise<IngestRetry | null> =>
  sql.queryRow(pool, RETRY, 'select since, failures, next_at, reason from ingest_retries');

/** Records a retry. Null deletes it, as does a completed run. */
export async function saveRetry(pool: pg.Pool, retry: IngestRetry | null): Promise<void> {
  if (retry === null) {
    await pool.query('delete from ingest_retries');
    return;
  }
  await pool.query(
    `insert into ingest_retries (since, failures, next_at, reason) values ($1, $2, $3, $4)
     on conflict (single) do update set since = excluded.since, failures = excluded.failures, next_at = excluded.next_at,
       reason = excluded.reason`,
    [retry.since, retry.failures, retry.next_at, retry.reason],
  );
}
