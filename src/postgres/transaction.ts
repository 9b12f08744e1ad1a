import pg from 'pg';
import { isPostgresUnavailable, postgresFailure } from './failures.ts';

/** The connection of a transaction. */
export type Transaction = pg.PoolClient;

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(pool: pg.Pool, work: (db: Transaction) => Promise<T>): Promise<T> {
  const db = await pool.connect().catch((error: unknown) => {
    throw postgresFailure(error);
  });
  let broken: Error | undefined;
  try {
    await db.query('begin');
    const result = await work(db);
    await db.query('commit');
    return result;
  } catch (error) {
    // An unresponsive connection accepts no rollback. Postgres rolls back when it finds the connection closed.
    if (isPostgresUnavailable(error) && !(error instanceof pg.DatabaseError)) broken = error as Error;
    else
      await db.query('rollback').catch((failure: unknown) => {
        // A connection that cannot even roll back is not handed to the next caller.
        broken = failure instanceof Error ? failure : new Error(String(failure));
      });
    throw error;
  } finally {
    db.release(broken);
  }
}

/** A pool or a transaction, for single statements. */
export type Queryable = Pick<pg.Pool, 'query'>;
