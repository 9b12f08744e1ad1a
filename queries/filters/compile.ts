import type { ValueOf } from '#domain/json-schema.ts';
import type { Clause } from '../clause.ts';
import type { ClauseContext, FilterRow } from './kinds.ts';
import { type FilterValues, filterRows } from './table.ts';

/** Returns the clauses of the given filters, in table order. Pure. */
export function compileFilters(values: FilterValues, context: ClauseContext): Clause[] {
  return compileRows(filterRows(), values, context);
}

/** Same as `compileFilters`, for any filter table. */
export function compileRows(
  rows: readonly FilterRow[],
  values: Readonly<Record<string, unknown>>,
  context: ClauseContext,
): Clause[] {
  const clauses: Clause[] = [];
  for (const row of rows) {
    const value = values[row.name];
    const clause = value === undefined ? null : row.kind.clause(row, value, context, values);
    if (clause !== null) clauses.push(clause);
  }
  return clauses;
}

/** Decoded and validated values by row name, each typed by the schema of the row's kind. */
export type ValuesOfRows<Row extends FilterRow> = {
  readonly [Each in Row as Each['name']]?: ValueOf<ReturnType<Each['kind']['schema']>>;
};

/** Returns the query's values for the rows of a table, in table order. Omits missing values. */
export function pickRows<Row extends FilterRow>(
  rows: readonly Row[],
  query: Readonly<Record<string, unknown>>,
): ValuesOfRows<Row> {
  const given = rows.flatMap(({ name }) => (query[name] === undefined ? [] : [[name, query[name]]]));
  return Object.fromEntries(given) as ValuesOfRows<Row>;
}
