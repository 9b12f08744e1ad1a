import type { Clause } from '../clause.ts';
import { type TransactionFilters, transactionClauses, transactionRow } from '../transactions/filters.ts';

/** Filters for registered deals in JSON: the search filters, but with any number of cities. */
export interface JsonTransactionFilters extends Omit<TransactionFilters, 'city'> {
  readonly city?: readonly string[];
}

/**
 * Returns the clauses for the deals that searches with the same filters return, over all given cities. Without cities,
 * deals in all cities match. Documents with stored cells never match.
 */
export function exportTransactionsFilter({ city, ...rest }: JsonTransactionFilters): Clause[] {
  const { field } = transactionRow('city');
  return [city === undefined ? { exists: { field } } : { terms: { [field]: city } }, ...transactionClauses(rest)];
}
