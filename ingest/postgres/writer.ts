import pg from 'pg';
import { LOCKS, type Lock, lockHolder, releaseLock, takeLock } from '#stores/postgres/locks.ts';
import type { SessionPool } from '#stores/postgres/pool.ts';
import { type Transaction, transact } from '#stores/postgres/transaction.ts';

/** Default wait for a lock, because the database detects a killed holder only after a delay. */
const LOCK_WAIT_MS = 5_000;

/** Work of an ingest run under the lock. Other work is a fill, for which a run waits. */
export const INGEST_RUN = 'an ingest run';

/** Another process has held a lock up to the deadline. */
export class BusyError extends Error {
  override name = 'BusyError';
  readonly isRun: boolean;
  /** @param holder the work that holds the lock; null if it has just ended */
  constructor(purpose: string, holder: string | null) {
    super(`${holder ?? 'Another process'} prevents ${purpose}. Wait until it has ended.`);
    this.isRun = holder === null || holder === INGEST_RUN;
  }
}

export interface Writer {
  /** Runs transactions in call order. A `durable` one is flushed to disk before the promise resolves. */
  transaction<T>(work: (db: Transaction) => Promise<T>, options?: { durable?: boolean }): Promise<T>;
}

/**
 * Holds the ingest lock while `work` runs, on the only connection that may write: a run that loses the lock cannot
 * write. Only `durable` commits wait for the disk, one of which precedes any write to the index. A Postgres crash may
 * lose later commits; the resumed run writes the same rows again.
 * @param purpose name of the work, shown to processes that wait
 * @param lockWait milliseconds to wait for the lock
 * @throws BusyError
 */
export function withWriter<T>(
  pool: SessionPool,
  purpose: string,
  work: (writer: Writer) => Promise<T>,
  lockWait?: number,
): Promise<T> {
  const withTransactions = async (client: pg.PoolClient): Promise<T> => {
    await client.query('set synchronous_commit = off');
    let tail: Promise<unknown> = Promise.resolve();
    const writer: Writer = {
      transaction: (inner, { durable = false } = {}) => {
        const result = tail.then(() =>
          transact(client, inner, durable ? 'begin; set local synchronous_commit = on' : 'begin'),
        );
        tail = result.catch(() => {});
        return result;
      },
    };
    try {
      return await work(writer);
    } finally {
      await tail;
    }
  };
  return withWriterLock(pool, LOCKS.ingest, purpose, withTransactions, lockWait);
}

/**
 * Runs `work` on a connection that holds a lock. Unlike `withLock`, it waits for the lock, and closes the connection.
 * @throws BusyError if another process still holds the lock after `waitMs`
 */
export async function withWriterLock<T>(
  pool: SessionPool,
  lock: Lock,
  purpose: string,
  work: (client: pg.PoolClient) => Promise<T>,
  waitMs = LOCK_WAIT_MS,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    if (!(await takeLock(client, lock, waitMs)))
      throw new BusyError(purpose, (await lockHolder(client, lock))?.purpose ?? null);
    await client.query(
      `set application_name = ${pg.escapeLiteral(purpose)}; set work_mem = '64MB'; set temp_buffers = '64MB'; set client_connection_check_interval = '2s'`,
    );
    try {
      return await work(client);
    } finally {
      // Closing the connection also releases the lock, but later.
      await releaseLock(client, lock).catch(() => {});
    }
  } finally {
    client.off('error', onError);
    // The session has settings, temporary tables and possibly the lock.
    client.release(broken ?? true);
  }
}
