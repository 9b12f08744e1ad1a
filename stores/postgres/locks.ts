import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { SessionPool } from './pool.ts';
import { boolean, queryOne, queryRow, text, timestamp } from './rows.ts';
import type { Queryable } from './transaction.ts';

/** One connection per database can hold it, until it closes. */
export interface Lock {
  /** Arguments of the lock functions. Locks with one number and with two never conflict. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Never change these numbers: several releases may run during an upgrade. */
export const LOCKS = {
  migrations: { sql: '$1::bigint', values: [7_300] },
  job: (name: string): Lock => ({ sql: '$1::int, hashtext($2)', values: [7_301, name] }),
  propertyIndex: { sql: '$1::bigint', values: [7_302] },
  estimates: (organization: number): Lock => ({ sql: '$1::int, $2::int', values: [7_304, organization] }),
  webhooks: { sql: '$1::bigint', values: [7_303] },
  ingest: { sql: '$1::int, $2::int', values: [7_451, 1] },
  official: { sql: '$1::int, $2::int', values: [7_451, 2] },
} as const satisfies Record<string, Lock | ((name: string) => Lock) | ((id: number) => Lock)>;

/** Delay between two attempts in milliseconds. */
const RETRY_MS = 100;

export async function tryLock(db: pg.ClientBase, { sql, values }: Lock): Promise<boolean> {
  return (await queryOne(db, { taken: boolean }, `select pg_try_advisory_lock(${sql}) as taken`, [...values])).taken;
}

/** @returns whether it was taken within `waitMs` milliseconds */
export async function takeLock(db: pg.ClientBase, lock: Lock, waitMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs;
  while (!(await tryLock(db, lock))) {
    if (Date.now() >= deadline) return false;
    await sleep(RETRY_MS);
  }
  return true;
}

/** Returns the connection that holds the lock; null if it is free. */
export function lockHolder(db: Queryable, { values }: Lock): Promise<{ purpose: string; since: Date } | null> {
  // Postgres shows a lock with two numbers as both of them, and one with a single number as its halves.
  const [first, second] = values.length === 2 ? values : [0, values[0]];
  return queryRow(
    db,
    { purpose: text, since: timestamp },
    `select a.application_name as purpose, a.backend_start as since
       from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2
        and l.database = (select oid from pg_database where datname = current_database())`,
    [first, second],
  );
}

/** Releases a lock. Closing the connection also releases it, with a delay. */
export async function releaseLock(db: pg.ClientBase, { sql, values }: Lock): Promise<void> {
  await db.query(`select pg_advisory_unlock(${sql})`, [...values]);
}

/**
 * If `work` fails, the connection is closed, which releases the lock.
 * @returns null if another connection holds the lock
 */
export async function withLock<T>(
  pool: SessionPool,
  lock: Lock,
  work: (db: pg.PoolClient) => Promise<T>,
): Promise<T | null> {
  const db = await pool.connect();
  let broken = true;
  try {
    const isTaken = await tryLock(db, lock);
    const result = isTaken ? await work(db) : null;
    if (isTaken) await releaseLock(db, lock);
    broken = false;
    return result;
  } finally {
    db.release(broken);
  }
}
