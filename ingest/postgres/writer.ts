import type pg from 'pg';
import { LOCKS, releaseLock, takeLock } from '#postgres/locks.ts';

/** Another process is ingesting into the same database. */
export class IngestBusyError extends Error {
  override name = 'IngestBusyError';
  constructor() {
    super('Another ingest run is going on. It will be found finished, or can be taken up once it has stopped.');
  }
}

export interface Writer {
  /** One transaction after the other, in the order asked for. `durable` ones are on disk when this returns. */
  transaction<T>(work: (client: pg.ClientBase) => Promise<T>, options?: { durable?: boolean }): Promise<T>;
}

/**
 * Holds the ingest lock while `work` runs, and gives it the one connection that may write. The lock belongs to that
 * connection: a run that lost it to another worker has lost its way to write with it.
 *
 * Commits do not wait for the disk unless asked to. A crash of Postgres may then lose the last of them, never one from
 * the middle, and the run, whose row is durable, is taken up again and makes the same rows again. Before anything is
 * told to the index a durable commit puts all before it on disk.
 * @param lockWait milliseconds to wait for the lock: the database takes a moment to see that its holder was killed
 * @throws IngestBusyError
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
      // Closing the connection frees it too, but only some time after this process has gone on.
      await releaseLock(client, LOCKS.ingest).catch(() => {});
    }
  } finally {
    client.off('error', onError);
    // The session held settings, temporary tables and the lock: it is closed rather than handed on.
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
