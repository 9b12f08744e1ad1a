import cron from 'node-cron';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Job, runJob } from '#postgres/job.ts';

/** `stop` waits for running jobs. */
export function scheduleJobs(
  jobs: readonly Job[],
  pool: pg.Pool,
  logger: Logger,
  now: () => number,
): { stop(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  const tasks = jobs.map((job) =>
    cron.schedule(
      job.schedule,
      () => {
        const run = runJob(pool, job, new Date(now()), logger).finally(() => running.delete(run));
        running.add(run);
      },
      { timezone: 'UTC', noOverlap: true },
    ),
  );
  return {
    stop: async () => {
      for (const task of tasks) await task.stop();
      await Promise.allSettled(running);
    },
  };
}
