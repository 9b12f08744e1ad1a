import type { Logger } from 'pino';
import { createPool } from '#postgres/pool.ts';
import { housekeeping } from './housekeeping.ts';
import { STATEMENT_LIMIT } from './job.ts';
import { scheduleJobs } from './schedule.ts';

/** Keeps house in this process, beside any other that does. @returns how to stop it, waiting for what runs */
export function startHousekeeping(databaseUrl: string, logger: Logger): { stop(): Promise<void> } {
  // Connections of their own: the limits of a request's statements are not for these.
  const pool = createPool(databaseUrl, { max: 2, statementTimeout: STATEMENT_LIMIT, name: 'listings-jobs' });
  const schedule = scheduleJobs(housekeeping, pool, logger, Date.now);
  return {
    stop: async () => {
      await schedule.stop();
      await pool.end();
    },
  };
}
