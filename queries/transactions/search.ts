import { type PageInput, pageBody } from '../page.ts';
import { type TransactionFilters, transactionClauses } from './filters.ts';

export interface TransactionsInput extends PageInput {
  filters: TransactionFilters;
}

/**
 * Builds a search for one page of registered deals, newest month first. The index is sorted in this order within one
 * city, so the engine stops at the last row of the page.
 */
export function transactionsBody({ filters, size, after }: TransactionsInput): Record<string, unknown> {
  const filter = [
    ...transactionClauses(filters),
    // Repeats the month condition in `search_after`, so that the engine starts at this month.
    ...(after ? [{ range: { 'filter.month': { lte: after[0] } } }] : []),
  ];
  const order = [{ 'filter.city': 'asc' }, { 'filter.month': 'desc' }, { 'filter.order': 'desc' }];
  return pageBody(filter, order, { size, after }, [filters.city]);
}
