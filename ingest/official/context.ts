import type { Client } from '@opensearch-project/opensearch';
import type pg from 'pg';
import type { OfficialRules } from '#domain/official/rules.ts';
import { LOCKS, releaseLock, takeLock } from '#postgres/locks.ts';

export interface OfficialContext {
  pool: pg.Pool;
  /** Client for the cluster with the transactions index; `prefix` is the prefix of its index names. */
  opensearch: Client;
  prefix: string;
  rules: OfficialRules;
  /** Secret key for hashing transaction ids. */
  idKey: string;
  signal: AbortSignal;
  /** Called with a description of each step, for operators and for tests of interrupted imports. */
  onProgress?(step: string): void;
}

/** Another process is importing official data. */
export class OfficialBusyError extends Error {
  override name = 'OfficialBusyError';
  constructor() {
    super('Another process imports official data. Try again when it has ended.');
  }
}

/**
 * Runs `work` on the only connection that may write official data, while this connection holds the lock. Closing the
 * connection releases the lock.
 * @param wait milliseconds to wait for the lock, because the database detects a killed holder only after a delay
 * @throws OfficialBusyError if another process holds the lock
 */
export async function withOfficialLock<T>(
  pool: pg.Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  wait = 5_000,
): Promise<T> {
  const db = await pool.connect();
  try {
    if (!(await takeLock(db, LOCKS.official, wait))) throw new OfficialBusyError();
    await db.query(`set work_mem = '64MB'; set temp_buffers = '64MB'; set client_connection_check_interval = '2s'`);
    const result = await work(db);
    await releaseLock(db, LOCKS.official);
    return result;
  } finally {
    // Closes the connection instead of returning it to the pool, because its session has settings, temporary tables and
    // possibly the lock.
    db.release(true);
  }
}

/** Runs `work` in one database transaction on the connection. */
export async function transact<T>(db: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await db.query('begin');
  try {
    const result = await work();
    await db.query('commit');
    return result;
  } catch (error) {
    await db.query('rollback').catch(() => {});
    throw error;
  }
}
