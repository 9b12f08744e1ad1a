import cron from 'node-cron';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { IngestPipeline, Worker, WorkerServices } from './worker.ts';

/** Twice a day, after the portals' own nightly and midday changes. */
const SCHEDULE = '0 3,15 * * *';
const ZONE = 'Asia/Riyadh';
/** Every minute. */
const RESTORE_CHECK = '* * * * *';
/** A run younger than this needs no other before the next scheduled time. */
const FRESH_HOURS = 13;

/**
 * Ingests on schedule, and at once when a scheduled time was missed, a run was interrupted or Postgres was restored. Stopping ends a run at its
 * next checkpoint; the next run takes it up.
 */
export const ingestWorker = {
  name: 'ingest',
  async start({ ingest, pool, logger }: Pick<WorkerServices, 'ingest' | 'pool' | 'logger'>) {
    const stopping = new AbortController();
    let running = Promise.resolve();
    const run = (trigger: string): Promise<void> => {
      running = running.then(() => runOnce(ingest, trigger, logger, stopping.signal));
      return running;
    };
    const task = cron.schedule(SCHEDULE, () => run('schedule'), { timezone: ZONE, noOverlap: true });
    const check = async (): Promise<void> => {
      // A run that is going on finds a restore by itself, and its end is awaited by the next check.
      const due = await ingest.isRebuildDue().catch((error: unknown) => {
        logger.warn({ err: error }, 'restore check failed, will retry');
        return false;
      });
      if (due && !stopping.signal.aborted) await run('restore');
    };
    const checks = cron.schedule(RESTORE_CHECK, () => check(), { noOverlap: true });
    if (await isDue(pool)) void run('catch_up');
    else void check();
    return async () => {
      await Promise.all([task.destroy(), checks.destroy()]);
      stopping.abort();
      await running;
    };
  },
} satisfies Worker;

async function runOnce(ingest: IngestPipeline, trigger: string, logger: Logger, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (trigger === 'restore') logger.warn('Postgres restored to an earlier state, rebuilding all indexes');
  else if (ingest.sources.length === 0) {
    logger.warn('no source has a feed here: set FEEDS_DIR');
    return;
  }
  try {
    const report = await ingest.run({ trigger, signal });
    if (report === null) {
      logger.info('another process ingests');
      return;
    }
    logger.info({ report }, 'ingest run completed');
    for (const trouble of ['failed', 'held', 'stale'] as const)
      for (const [source, reason] of Object.entries(report[trouble]))
        logger.warn({ source, reason }, `feed ${trouble}`);
  } catch (error) {
    if (signal.aborted) logger.info('ingest run interrupted');
    else logger.error({ err: error }, 'ingest run failed; the next one takes it up');
  }
}

/** Whether the last run is too old or was not completed. */
async function isDue(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ due: boolean }>(
    `select coalesce(bool_or(status <> 'completed'), false)
            or coalesce(max(at) < now() - make_interval(hours => $1), true) as due
       from ingest_runs`,
    [FRESH_HOURS],
  );
  return rows[0]?.due ?? true;
}
