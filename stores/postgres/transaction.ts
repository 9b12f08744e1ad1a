import pg from 'pg';
import { isPostgresUnavailable, postgresFailure } from './postgres-failures.ts';

export type Transaction = pg.PoolClient;

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

/** A pool or a transaction, either of which can run a single statement. */
export type Queryable = Pick<pg.Pool, 'query'>;
