import type { Clause } from '../clause.ts';
import type { ClauseContext, FilterRow, ValuesOfRows } from './kinds.ts';
import { type FilterValues, filterRows } from './table.ts';

/** Returns the clauses of filters in table order. Pure. */
export function compileFilters(values: FilterValues, context: ClauseContext): Clause[] {
  return compileRows(filterRows(), values, context);
}

export function compileRows(
  rows: readonly FilterRow[],
  values: Readonly<Record<string, unknown>>,
  context: ClauseContext,
): Clause[] {
  const given = rows.filter(({ name }) => values[name] !== undefined);
  return given
    .map((row) => row.kind.clause(row, values[row.name], context, values))
    .filter((clause) => clause !== null);
}

/** Returns the filters of a query in table order, without missing values. */
export function pickRows<Row extends FilterRow>(
  rows: readonly Row[],
  query: Readonly<Record<string, unknown>>,
): ValuesOfRows<Row> {
  const given = rows.flatMap(({ name }) => (query[name] === undefined ? [] : [[name, query[name]]]));
  return Object.fromEntries(given) as ValuesOfRows<Row>;
}
