import type { Clause } from '../clause.ts';
import type { ClauseContext } from './kinds.ts';
import { type FilterValues, filterRows } from './table.ts';

/** The clauses of a set of filters, in the order of the table. Pure. */
export function compileFilters(values: FilterValues, context: ClauseContext): Clause[] {
  const given: Readonly<Record<string, unknown>> = values;
  const clauses: Clause[] = [];
  for (const row of filterRows()) {
    const value = given[row.name];
    if (value !== undefined) clauses.push(row.kind.clause(row, value, context));
  }
  return clauses;
}
