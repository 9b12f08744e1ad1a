import type { Clause } from '../clause.ts';
import { type TransactionFilters, transactionClauses, transactionRow } from '../transactions/filters.ts';

export interface JsonTransactionFilters extends Omit<TransactionFilters, 'city'> {
  readonly city?: readonly string[];
}

/**
 * Matches the deals that searches with the same filters return; without cities, in all of them. Documents with stored
 * cells never match.
 */
export function exportTransactionsFilter({ city, ...rest }: JsonTransactionFilters): Clause[] {
  const { field } = transactionRow('city');
  return [city === undefined ? { exists: { field } } : { terms: { [field]: city } }, ...transactionClauses(rest)];
}
