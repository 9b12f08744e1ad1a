import type { Clause } from '../clause.ts';
import { type TransactionFilters, transactionClauses, transactionRow } from '../transactions/filters.ts';

/** JSON filters of registered deals: as in a search, but for any number of cities. */
export interface JsonTransactionFilters extends Omit<TransactionFilters, 'city'> {
  readonly city?: readonly string[];
}

/**
 * Returns the filter for deals that searches in any of the cities find with the same filters; without a city, all deals,
 * including those outside the cities of the service.
 */
export function exportTransactionsFilter({ city, ...rest }: JsonTransactionFilters): Clause[] {
  const { field } = transactionRow('city');
  return [city === undefined ? { exists: { field } } : { terms: { [field]: city } }, ...transactionClauses(rest)];
}
