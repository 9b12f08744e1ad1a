import type pg from 'pg';
import { LOCKS, type Lock, releaseLock, takeLock } from '#postgres/locks.ts';

/** Default wait for a lock, because the database detects a killed holder only after a delay. */
export const LOCK_WAIT_MS = 5_000;

/** Another process is ingesting into the same database. */
export class IngestBusyError extends Error {
  override name = 'IngestBusyError';
  constructor() {
    super('Another ingest run is in progress. Wait until it has ended. The next run resumes an interrupted one.');
  }
}

export interface Writer {
  /** Runs transactions in call order. A `durable` one is flushed to disk before the promise resolves. */
  transaction<T>(work: (client: pg.ClientBase) => Promise<T>, options?: { durable?: boolean }): Promise<T>;
}

/**
 * Holds the ingest lock while `work` runs, and passes it the only connection that may write. The lock belongs to that
 * connection, so a run that loses the lock can no longer write.
 *
 * Only `durable` commits wait for the disk. A Postgres crash may lose the most recent other commits, but never one that
 * precedes a preserved commit. The run, whose row is durable, is then resumed and writes the same rows again. Before
 * any write to the index, a durable commit flushes all earlier commits to disk.
 * @param lockWait milliseconds to wait for the lock
 * @throws IngestBusyError if another process is ingesting
 */
export function withWriter<T>(
  pool: pg.Pool,
  work: (writer: Writer) => Promise<T>,
  lockWait = LOCK_WAIT_MS,
): Promise<T> {
  return withWriterLock(pool, LOCKS.ingest, lockWait, new IngestBusyError(), async (client) => {
    await client.query('set synchronous_commit = off');
    let tail: Promise<unknown> = Promise.resolve();
    const writer: Writer = {
      transaction: (inner, { durable = false } = {}) => {
        const result = tail.then(() => transact(client, inner, durable));
        tail = result.catch(() => {});
        return result;
      },
    };
    try {
      return await work(writer);
    } finally {
      await tail;
    }
  });
}

/**
 * Runs `work` on a connection that holds a lock, with more memory than others. Unlike `withLock`, it waits for the lock,
 * and closes the connection, whose settings other users of the pool must not get.
 * @param busy thrown if another process still holds the lock after `wait` milliseconds
 */
export async function withWriterLock<T>(
  pool: pg.Pool,
  lock: Lock,
  wait: number,
  busy: Error,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    if (!(await takeLock(client, lock, wait))) throw busy;
    await client.query(`set work_mem = '64MB'; set temp_buffers = '64MB'; set client_connection_check_interval = '2s'`);
    try {
      return await work(client);
    } finally {
      // Closing the connection also releases the lock, but later.
      await releaseLock(client, lock).catch(() => {});
    }
  } finally {
    client.off('error', onError);
    // The session has settings, temporary tables and possibly the lock, so it is not returned to the pool.
    client.release(broken ?? true);
  }
}

/** Runs `work` in one transaction on a connection. A `durable` one is flushed to disk. */
export async function transact<T>(
  client: pg.ClientBase,
  work: (client: pg.ClientBase) => Promise<T>,
  durable = false,
): Promise<T> {
  await client.query(durable ? 'begin; set local synchronous_commit = on' : 'begin');
  try {
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
