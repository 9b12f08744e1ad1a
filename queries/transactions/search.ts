import { type PageInput, pageBody } from '../page.ts';
import { type TransactionFilters, transactionClauses } from './filters.ts';

export interface TransactionsInput extends PageInput {
  filters: TransactionFilters;
}

/** Newest month first, as in the index within one city: the engine stops at the last row. */
export function transactionsBody({ filters, size, after }: TransactionsInput): Record<string, unknown> {
  const filter = [
    ...transactionClauses(filters),
    // The engine then starts at this month.
    ...(after ? [{ range: { 'filter.month': { lte: after[0] } } }] : []),
  ];
  const order = [{ 'filter.city': 'asc' }, { 'filter.month': 'desc' }, { 'filter.order': 'desc' }];
  return pageBody(filter, order, { size, after }, [filters.city]);
}
