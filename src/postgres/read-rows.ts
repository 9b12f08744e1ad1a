import type pg from 'pg';
import { postgresFailure } from './failures.ts';
import { type Columns, queryRows, type RowOf } from './rows.ts';
import type { Queryable } from './transaction.ts';

/** Runs a single statement that reads rows. @throws StoreError */
export const readRows = <C extends Columns>(db: Queryable, columns: C, query: pg.QueryConfig): Promise<RowOf<C>[]> =>
  queryRows(db, columns, query).catch((error: unknown) => {
    throw postgresFailure(error);
  });
