import { type Columns, queryRow, queryRows, RowError, type RowOf } from './rows.ts';
import type { Queryable } from './transaction.ts';

/** Objects of one kind that belong to organizations, such as keys. */
export interface Records<C extends Columns> {
  columns: C;
  /** SQL of the columns. */
  select: string;
  /** SQL of the tables that they come from. */
  from: string;
  /** Name in `from` of the table with the columns `id`, `public_id` and `organization_id`. */
  table: string;
  /** Condition of rows that exist for the organization; all by default. */
  where?: string;
}

const selectOf = ({ select, from, table, where = 'true' }: Records<Columns>): string =>
  `select ${select} from ${from} where ${table}.organization_id = $1 and ${where}`;

/** Returns the newest objects. @param before number of the last object on the previous page, or null */
export function listRecords<C extends Columns>(
  db: Queryable,
  records: Records<C>,
  organizationId: number,
  size: number,
  before: number | null = null,
): Promise<RowOf<C>[]> {
  const { columns, table } = records;
  const page = `($2::bigint is null or ${table}.id < $2) order by ${table}.id desc limit $3`;
  return queryRows(db, columns, `${selectOf(records)} and ${page}`, [organizationId, before, size]);
}

/** @param names columns of the table, one of which has the value */
export function findRecord<C extends Columns>(
  db: Queryable,
  records: Records<C>,
  organizationId: number,
  value: string,
  names: readonly string[] = ['public_id'],
): Promise<RowOf<C> | null> {
  const isNamed = names.map((name) => `${records.table}.${name} = $2`).join(' or ');
  return queryRow(db, records.columns, `${selectOf(records)} and (${isNamed})`, [organizationId, value]);
}

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
