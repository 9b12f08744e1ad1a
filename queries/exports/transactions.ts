import type { Clause } from '../clause.ts';
import { type TransactionFilters, transactionClauses, transactionRow } from '../transactions/filters.ts';

/** Filters of registered deals in JSON. Same as in a search, but with any number of cities. */
export interface JsonTransactionFilters extends Omit<TransactionFilters, 'city'> {
  readonly city?: readonly string[];
}

/**
 * Returns the clauses for deals that searches in any of the cities return with the same filters. Without cities, deals of
 * all cities match; stored cells never match.
 */
export function exportTransactionsFilter({ city, ...rest }: JsonTransactionFilters): Clause[] {
  const { field } = transactionRow('city');
  return [city === undefined ? { exists: { field } } : { terms: { [field]: city } }, ...transactionClauses(rest)];
}
