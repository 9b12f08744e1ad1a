import type pg from 'pg';
import type { Logger } from 'pino';
import { LOCKS, tryLock } from './locks.ts';
import type { SessionPool } from './pool.ts';

/** Starts at most once per due time. Running it twice is safe. */
export interface Job {
  name: string;
  /** Cron expression in UTC. */
  schedule: string;
  /** @returns counts by name, for the log */
  run(db: pg.ClientBase, now: Date): Promise<Record<string, number>>;
}

/** Statement timeout of jobs in milliseconds. */
export const STATEMENT_LIMIT = 300_000;

export type JobOutcome = 'done' | 'taken' | 'failed';

/** Runs a job unless another worker has begun it for this due time. The lock is released if the worker crashes. */
export async function runJob(pool: SessionPool, job: Job, due: Date, logger: Logger): Promise<JobOutcome> {
  const minute = new Date(Math.floor(due.getTime() / 60_000) * 60_000);
  let db: pg.PoolClient | undefined;
  try {
    db = await pool.connect();
    if (!(await tryLock(db, LOCKS.job(job.name)))) return 'taken';
    const taken = await db.query(
      `insert into job_runs as j (name, due_at) values ($1, $2)
       on conflict (name) do update set due_at = excluded.due_at, finished_at = null, result = null, error = null
         where j.due_at < excluded.due_at`,
      [job.name, minute],
    );
    if (taken.rowCount === 0) return 'taken';
    const result = await job.run(db, due);
    await db.query('update job_runs set finished_at = now(), result = $2 where name = $1', [
      job.name,
      JSON.stringify(result),
    ]);
    logger.info({ job: job.name, ...result }, 'job done');
    return 'done';
  } catch (error) {
    logger.error({ err: error, job: job.name }, 'job failed');
    await pool
      .query('update job_runs set finished_at = now(), error = $2 where name = $1', [
        job.name,
        String(error).slice(0, 500),
      ])
      .catch(() => {});
    return 'failed';
  } finally {
    // Postgres detects a closed connection with a delay, in which the next worker would find the lock held.
    await db?.query('select pg_advisory_unlock_all()').catch(() => {});
    // Closed, which releases the lock if the unlock has failed.
    db?.release(true);
  }
}
