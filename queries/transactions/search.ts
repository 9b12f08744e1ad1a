import { type Clause, type PageInput, pageBody } from '../clause.ts';
import { type TransactionFilters, transactionClauses, transactionRow } from './filters.ts';

/**
 * Requests a page, newest month first. The index has this order within one city, so the engine stops at the last row.
 */
export function transactionsBody({ filters, size, after }: PageInput & { filters: TransactionFilters }) {
  const filter = [
    ...transactionClauses(filters),
    // With the month in `search_after`, the engine starts at this month.
    ...(after ? [{ range: { 'filter.month': { lte: after[0] } } }] : []),
  ];
  const order = [{ 'filter.city': 'asc' }, { 'filter.month': 'desc' }, { 'filter.order': 'desc' }];
  return pageBody(filter, order, { size, after }, [filters.city]);
}

export interface JsonTransactionFilters extends Omit<TransactionFilters, 'city'> {
  readonly city?: readonly string[];
}

/** Matches the deals that searches with the same filters return; without cities, in all of them. */
export function exportTransactionsFilter({ city, ...rest }: JsonTransactionFilters): Clause[] {
  const { field } = transactionRow('city');
  return [city === undefined ? { exists: { field } } : { terms: { [field]: city } }, ...transactionClauses(rest)];
}
