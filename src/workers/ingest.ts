import cron from 'node-cron';
import type pg from 'pg';
import type { Logger } from 'pino';
import { IngestBusyError } from '#ingest/postgres/writer.ts';
import type { Ingest } from '#start/ingest.ts';

/** Twice a day, after the portals' own nightly and midday changes. */
const SCHEDULE = '0 3,15 * * *';
const ZONE = 'Asia/Riyadh';
/** A run younger than this needs no other before its time. */
const FRESH_HOURS = 13;

export interface Worker {
  /** Ends a run under way at its next checkpoint; the next run takes it up. */
  stop(): Promise<void>;
}

/** Ingests on schedule, and at once when a time was missed or a run was interrupted. */
export async function startWorker(ingest: Ingest, pool: pg.Pool, logger: Logger): Promise<Worker> {
  const stopping = new AbortController();
  let running = Promise.resolve();
  const run = (trigger: string): Promise<void> => {
    running = running.then(() => runOnce(ingest, trigger, logger, stopping.signal));
    return running;
  };
  const task = cron.schedule(SCHEDULE, () => run('schedule'), { timezone: ZONE, noOverlap: true });
  if (await isDue(pool)) void run('catch_up');
  return {
    async stop() {
      await task.destroy();
      stopping.abort();
      await running;
    },
  };
}

async function runOnce(ingest: Ingest, trigger: string, logger: Logger, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (ingest.sources.length === 0) {
    logger.warn('no source has a feed here: set FEEDS_DIR');
    return;
  }
  try {
    const report = await ingest.run({ trigger, signal });
    logger.info({ report }, 'ingest run completed');
  } catch (error) {
    if (signal.aborted) logger.info('ingest run interrupted');
    else if (error instanceof IngestBusyError) logger.info('another process ingests');
    else logger.error({ err: error }, 'ingest run failed; the next one takes it up');
  }
}

async function isDue(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ due: boolean }>(
    `select coalesce(bool_or(status <> 'completed'), false)
            or coalesce(max(at) < now() - make_interval(hours => $1), true) as due
       from ingest_runs`,
    [FRESH_HOURS],
  );
  return rows[0]?.due ?? true;
}
