import type { Client } from '@opensearch-project/opensearch';
import type pg from 'pg';
import type { OfficialRules } from '#domain/official/rules.ts';
import { LOCKS, releaseLock, takeLock } from '#postgres/locks.ts';

/** The context of reading and writing official data. */
export interface OfficialContext {
  pool: pg.Pool;
  /** The cluster of the index of deals, and the prefix of its names. */
  opensearch: Client;
  prefix: string;
  rules: OfficialRules;
  /** Keys the ids of deals. */
  idKey: string;
  signal: AbortSignal;
  /** Called with a description of each step, for operators and for tests that interrupt. */
  onProgress?(step: string): void;
}

/** Another process imports official data. */
export class OfficialBusyError extends Error {
  override name = 'OfficialBusyError';
  constructor() {
    super('Another process imports official data. Try again when it has ended.');
  }
}

/**
 * Runs `work` with the one connection that may write official data, while it holds their lock. The lock goes with the
 * connection.
 * @param wait milliseconds: the database takes a moment to see that its holder was killed
 * @throws OfficialBusyError
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
    // The session held settings, temporary tables and perhaps the lock.
    db.release(true);
  }
}

/** Runs `work` in one transaction of the connection. */
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
