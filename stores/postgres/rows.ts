import type pg from 'pg';
import { postgresFailure } from './postgres-failures.ts';
import type { Queryable } from './transaction.ts';

/** Type of a column. Checks values at run time. */
export interface Column<T> {
  readonly type: string;
  accepts(value: unknown): value is T;
}

/** By name, of a query result or a JSON object. Others are ignored. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<C extends Columns> = C extends Columns
  ? { -readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never }
  : never;

/** The message omits values, which may be personal. */
export class RowError extends Error {
  override name = 'RowError';
}

const column = <T>(type: string, accepts: (value: unknown) => boolean): Column<T> => ({
  type,
  accepts: accepts as Column<T>['accepts'],
});

export const text = column<string>('text', (value) => typeof value === 'string');
/** `smallint`, `integer` and `bigint`. */
export const integer = column<number>('integer', Number.isSafeInteger);
/** Integers and `float8`; the driver returns `numeric` as text. */
export const number = column<number>('number', (value) => typeof value === 'number');
/** Amounts of money in SAR, which may have halalas (`#domain/money.ts`). */
export const amount = column<number>('amount', Number.isFinite);
export const boolean = column<boolean>('boolean', (value) => typeof value === 'boolean');
export const timestamp = column<Date>('timestamp', (value) => value instanceof Date);
export const bytes = column<Buffer>('bytes', (value) => value instanceof Uint8Array);

/** JSON objects whose content is not checked. */
export const json = <T extends object>(): Column<T> =>
  column('JSON object', (value) => typeof value === 'object' && value !== null);

export const empty = column<null>('null', (value) => value === null);

export const object = <C extends Columns>(columns: C): Column<RowOf<C>> =>
  column('JSON object', (value) => typeof value === 'object' && value !== null && checkRow(columns, value) === value);

/** JSON objects of several forms, by the value of the property `name`. */
export const choice = <const Forms extends readonly Columns[]>(
  name: string,
  forms: Forms,
): Column<RowOf<Forms[number]>> =>
  column('JSON object', (value) => {
    if (typeof value !== 'object' || value === null) return false;
    const form = forms.find((columns) => columns[name]?.accepts((value as Record<string, unknown>)[name]));
    if (!form) throw new RowError(`The column "${name}" of a query result has an unexpected value.`);
    return checkRow(form, value) === value;
  });

/** Unchecked, because a newer release may have written another value. */
export const textAs = <T extends string>(): Column<T> => text as Column<T>;

export const oneOf = <const T extends string>(values: readonly T[]): Column<T> =>
  column(`one of ${values.join(', ')}`, (value) => values.includes(value as T));

export const nullable = <T>({ type, accepts }: Column<T>): Column<T | null> =>
  column(`${type} or null`, (value) => value === null || accepts(value));

/** A property that objects of functions of earlier releases may lack. */
export const optional = <T>({ type, accepts }: Column<T>): Column<T | undefined> =>
  column(`${type} or missing`, (value) => value === undefined || accepts(value));

export const listOf = <T>({ type, accepts }: Column<T>): Column<T[]> =>
  column(`list of ${type}`, (value) => Array.isArray(value) && value.every(accepts));

/** Listing the entries for every row takes longer than the checks. */
const entriesOf = new WeakMap<Columns, [name: string, column: Column<unknown>][]>();

/** @throws RowError if a value does not have the type of its column */
export function checkRow<C extends Columns>(columns: C, row: unknown): RowOf<C> {
  const values = row as Record<string, unknown>;
  const entries = entriesOf.get(columns) ?? Object.entries(columns);
  entriesOf.set(columns, entries);
  for (const [name, { type, accepts }] of entries) {
    const value = values[name];
    if (accepts(value)) continue;
    const found = value === undefined ? 'is missing' : `is ${value === null ? 'null' : `of type ${typeof value}`}`;
    throw new RowError(`The column "${name}" of a query result ${found}. Expected: ${type}.`);
  }
  return row as RowOf<C>;
}

type Query<C extends Columns> = [db: Queryable, columns: C, statement: string | pg.QueryConfig, values?: unknown[]];

/**
 * Runs a statement and returns its rows. Only the readers of whole tables in `ingest/postgres/column-rows.ts` and
 * `ingest/postgres/copy-out.ts` do not check rows, because checks of wide rows take longer than reading them.
 * @throws RowError if a column is missing or has another type
 */
export async function queryRows<C extends Columns>(...[db, columns, statement, values]: Query<C>): Promise<RowOf<C>[]> {
  const { rows } = await db.query(statement, values);
  for (const row of rows) checkRow(columns, row);
  return rows;
}

/** As `queryRows`. @throws StoreError instead of errors of Postgres */
export const readRows = <C extends Columns>(db: Queryable, columns: C, query: pg.QueryConfig): Promise<RowOf<C>[]> =>
  queryRows(db, columns, query).catch((error: unknown) => {
    throw postgresFailure(error);
  });

/** Returns the first row, or null. */
export async function queryRow<C extends Columns>(...query: Query<C>): Promise<RowOf<C> | null> {
  return (await queryRows(...query))[0] ?? null;
}

/** For a statement that always returns a row. @throws RowError also if there is none */
export async function queryOne<C extends Columns>(...query: Query<C>): Promise<RowOf<C>> {
  const row = await queryRow(...query);
  if (!row) throw new RowError('A query returned no row.');
  return row;
}

/** Returns whether a query has rows. @param from the part of the query after `select` */
export async function hasRows(db: Queryable, from: string, values?: unknown[]): Promise<boolean> {
  return (await queryOne(db, { found: boolean }, `select exists (select ${from}) as found`, values)).found;
}

/** Counts rows. @param from the part of the query after `select count(*)` */
export async function countRows(db: Queryable, from: string, values?: unknown[]): Promise<number> {
  return (await queryOne(db, { count: integer }, `select count(*) ${from}`, values)).count;
}
