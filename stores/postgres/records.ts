import { type Columns, queryRow, queryRows, RowError, type RowOf } from './rows.ts';
import type { Queryable } from './transaction.ts';

/** Objects of one kind that belong to organizations, such as keys. */
export interface Records<C extends Columns> {
  columns: C;
  /** Query for those of the organization `$1`, without an order. */
  select: string;
  /** Name in `select` of the table with the columns `id` and `public_id`. */
  table: string;
}

/** Returns the newest objects. @param before number of the last object on the previous page, or null */
export const listRecords = <C extends Columns>(
  db: Queryable,
  { columns, select, table }: Records<C>,
  organizationId: number,
  size: number,
  before: number | null = null,
): Promise<RowOf<C>[]> =>
  queryRows(db, columns, `${select} and ($2::bigint is null or ${table}.id < $2) order by ${table}.id desc limit $3`, [
    organizationId,
    before,
    size,
  ]);

export const findRecord = <C extends Columns>(
  db: Queryable,
  { columns, select, table }: Records<C>,
  organizationId: number,
  publicId: string,
): Promise<RowOf<C> | null> =>
  queryRow(db, columns, `${select} and ${table}.public_id = $2`, [organizationId, publicId]);

/** @throws RowError if the object does not exist */
export async function readRecord<C extends Columns>(
  db: Queryable,
  records: Records<C>,
  organizationId: number,
  publicId: string,
): Promise<RowOf<C>> {
  const found = await findRecord(db, records, organizationId, publicId);
  if (!found) throw new RowError(`${publicId} does not exist.`);
  return found;
}
