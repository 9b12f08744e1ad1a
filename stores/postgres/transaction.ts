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
  let broken: Error | undefined;
  try {
    await db.query('begin');
    const result = await work(db as pg.ClientBase as Transaction);
    await db.query('commit');
    return result;
  } catch (error) {
    // An unresponsive connection cannot send a rollback. Postgres rolls back when it detects that it is closed.
    if (isPostgresUnavailable(error) && !(error instanceof pg.DatabaseError)) broken = error as Error;
    else
      await db.query('rollback').catch((failure: unknown) => {
        // A connection whose rollback failed is not reused.
        broken = failure instanceof Error ? failure : new Error(String(failure));
      });
    throw error;
  } finally {
    db.release(broken);
  }
}

/**
 * Runs `work` in a transaction on a connection that has another purpose as well, such as a lock.
 * @param begin the statement that begins it
 */
export async function transact<T>(
  client: pg.ClientBase,
  work: (db: Transaction) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  await client.query(begin);
  try {
    const result = await work(client as Transaction);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** A pool or a transaction, either of which can run a single statement. */
export type Queryable = Pick<pg.Pool, 'query'>;
