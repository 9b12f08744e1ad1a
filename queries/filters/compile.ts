import type { ValueOf } from '#domain/json-schema.ts';
import type { Clause } from '../clause.ts';
import type { ClauseContext, FilterRow } from './kinds.ts';
import { type FilterValues, filterRows } from './table.ts';

/** Compiles filters to clauses, in the order of the table. Pure. */
export function compileFilters(values: FilterValues, context: ClauseContext): Clause[] {
  return compileRows(filterRows(), values, context);
}

/** Does the same for any table of filters. */
export function compileRows(
  rows: readonly FilterRow[],
  values: Readonly<Record<string, unknown>>,
  context: ClauseContext,
): Clause[] {
  const clauses: Clause[] = [];
  for (const row of rows) {
    const value = values[row.name];
    if (value !== undefined) clauses.push(row.kind.clause(row, value, context));
  }
  return clauses;
}

/** Decoded and validated values of rows by name, each typed by its kind's schema. */
export type ValuesOfRows<Row extends FilterRow> = {
  readonly [Each in Row as Each['name']]?: ValueOf<ReturnType<Each['kind']['schema']>>;
};

/** Returns the values of a query for the rows of a table, in the order of the table, without missing ones. */
export function pickRows<Row extends FilterRow>(
  rows: readonly Row[],
  query: Readonly<Record<string, unknown>>,
): ValuesOfRows<Row> {
  const given = rows.flatMap(({ name }) => (query[name] === undefined ? [] : [[name, query[name]]]));
  return Object.fromEntries(given) as ValuesOfRows<Row>;
}
