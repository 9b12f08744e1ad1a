import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * An advisory lock: one holder in a database, whichever process that is. It belongs to a connection, so that a process
 * that dies gives it up.
 */
export interface Lock {
  /** Arguments of Postgres's lock functions, in SQL. One number and two numbers are different locks. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Every advisory lock. Releases run side by side during an upgrade, so a lock keeps its numbers. */
export const LOCKS = {
  /** Whoever brings the database to the newest schema. */
  migrations: { sql: '$1::bigint', values: [7_300] },
  /** Whoever runs this job. */
  job: (name: string): Lock => ({ sql: '$1::int, hashtext($2)', values: [7_301, name] }),
  /** Whoever writes releases of the property index. */
  propertyIndex: { sql: '$1::bigint', values: [7_302] },
  /** Whoever matches events with webhooks. */
  webhooks: { sql: '$1::bigint', values: [7_303] },
  /** Whoever ingests. */
  ingest: { sql: '$1::int, $2::int', values: [7_451, 1] },
  /** Whoever imports official open data. */
  official: { sql: '$1::int, $2::int', values: [7_451, 2] },
} as const satisfies Record<string, Lock | ((name: string) => Lock)>;

/** Milliseconds between two tries. */
const RETRY_MS = 100;

/** Takes a lock unless somebody has it. @returns whether it was taken */
export async function tryLock(db: pg.ClientBase, { sql, values }: Lock): Promise<boolean> {
  const { rows } = await db.query<{ taken: boolean }>(`select pg_try_advisory_lock(${sql}) as taken`, [...values]);
  return rows[0]?.taken === true;
}

/** Takes a lock, waiting for its holder up to so many milliseconds. @returns whether it was taken */
export async function takeLock(db: pg.ClientBase, lock: Lock, waitMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs;
  while (!(await tryLock(db, lock))) {
    if (Date.now() >= deadline) return false;
    await sleep(RETRY_MS);
  }
  return true;
}

/** Gives a lock up. Closing the connection does so too, a moment after it. */
export async function releaseLock(db: pg.ClientBase, { sql, values }: Lock): Promise<void> {
  await db.query(`select pg_advisory_unlock(${sql})`, [...values]);
}
