import type { SortPosition } from '#domain/sort-position.ts';
import { type TransactionFilters, transactionClauses } from './filters.ts';

export interface TransactionsInput {
  filters: TransactionFilters;
  /** Number of rows, including one to detect a further page. */
  size: number;
  /** The last row of the page before. */
  after?: SortPosition | null | undefined;
}

/**
 * A page of registered deals, newest month first. The index is kept in this order within one city, so that the engine
 * stops at the page's last row.
 */
export function transactionsBody({ filters, size, after }: TransactionsInput): Record<string, unknown> {
  const filter = [
    ...transactionClauses(filters),
    // Says what search_after says of the month, and lets the engine start there.
    ...(after ? [{ range: { 'filter.month': { lte: after[0] } } }] : []),
  ];
  return {
    size,
    track_total_hits: false,
    query: { bool: { filter } },
    sort: [{ 'filter.city': 'asc' }, { 'filter.month': 'desc' }, { 'filter.order': 'desc' }],
    ...(after ? { search_after: [filters.city, ...after] } : {}),
  };
}
