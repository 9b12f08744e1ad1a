import type { Clause } from '../clause.ts';
import { type TransactionFilters, transactionClauses, transactionRow } from '../transactions/filters.ts';

/** Filters of registered deals as JSON: as in a search, but of any number of cities. */
export interface JsonTransactionFilters extends Omit<TransactionFilters, 'city'> {
  readonly city?: readonly string[];
}

/** The deals that searches of any of the cities find with the same filters. */
export function exportTransactionsFilter({ city, ...rest }: JsonTransactionFilters): Clause[] {
  const cities = city === undefined ? [] : [{ terms: { [transactionRow('city').field]: city } }];
  return [...cities, ...transactionClauses(rest)];
}
