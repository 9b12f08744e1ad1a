import pg from 'pg';
import { isPostgresUnavailable, postgresFailure } from './postgres-failures.ts';

declare const begun: unique symbol;

/**
 * A connection on which a transaction has begun. Only the functions that begin one return it, so that statements which
 * need a transaction cannot be called without one.
 */
export type Transaction = pg.ClientBase & { readonly [begun]: true };

export async function inTransaction<T>(pool: pg.Pool, work: (db: Transaction) => Promise<T>): Promise<T> {
  const db = await pool.connect().catch((error: unknown) => {
    throw postgresFailure(error);
  });
  let broken: unknown;
  try {
    return await transact(db, work, 'begin', (failure) => {
      broken = failure;
    });
  } finally {
    db.release(broken === undefined || broken instanceof Error ? broken : new Error(String(broken)));
  }
}

/**
 * Runs `work` in a transaction on a connection that has another purpose as well, such as a lock.
 * @param begin the statement that begins it
 * @param discard receives why the connection must not be reused, for a connection that can be replaced
 */
export async function transact<T>(
  client: pg.ClientBase,
  work: (db: Transaction) => Promise<T>,
  begin = 'begin',
  discard?: (failure: unknown) => void,
): Promise<T> {
  try {
    await client.query(begin);
    const result = await work(client as Transaction);
    await client.query('commit');
    return result;
  } catch (error) {
    // An unresponsive connection cannot send a rollback. Postgres rolls back when it detects that it is closed.
    if (discard && isPostgresUnavailable(error) && !(error instanceof pg.DatabaseError)) discard(error);
    else await client.query('rollback').catch((failure: unknown) => discard?.(failure));
    throw error;
  }
}

/** A pool or a transaction, either of which can run a single statement. */
export type Queryable = Pick<pg.Pool, 'query'>;
