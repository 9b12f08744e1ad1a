import type pg from 'pg';
import { LOCKS, releaseLock, takeLock } from '#postgres/locks.ts';

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
 * @param lockWait milliseconds to wait for the lock, because the database detects a killed holder only after a delay
 * @throws IngestBusyError if another process is ingesting
 */
export async function withWriter<T>(pool: pg.Pool, work: (writer: Writer) => Promise<T>, lockWait = 5_000): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    if (!(await takeLock(client, LOCKS.ingest, lockWait))) throw new IngestBusyError();
    await client.query(
      `set synchronous_commit = off; set work_mem = '64MB'; set temp_buffers = '64MB';
       set client_connection_check_interval = '2s'`,
    );
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
      // Closing the connection also releases the lock, but later.
      await releaseLock(client, LOCKS.ingest).catch(() => {});
    }
  } finally {
    client.off('error', onError);
    // The session has settings, temporary tables and the lock, so it is not returned to the pool.
    client.release(broken ?? true);
  }
}

async function transact<T>(
  client: pg.ClientBase,
  work: (client: pg.ClientBase) => Promise<T>,
  durable: boolean,
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
