import type { Clause } from '../clause.ts';
import { type TransactionFilters, transactionClauses, transactionRow } from '../transactions/filters.ts';

/** Filters of registered deals as JSON: as in a search, but of any number of cities. */
export interface JsonTransactionFilters extends Omit<TransactionFilters, 'city'> {
  readonly city?: readonly string[];
}

/** The deals that searches of any of the cities find with the same filters; of all cities, and no cells, when none is given. */
export function exportTransactionsFilter({ city, ...rest }: JsonTransactionFilters): Clause[] {
  const { field } = transactionRow('city');
  return [city === undefined ? { exists: { field } } : { terms: { [field]: city } }, ...transactionClauses(rest)];
}
