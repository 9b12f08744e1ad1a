import type { SortPosition } from '#domain/sort-position.ts';
import type { Clause } from './clause.ts';

/** The page of rows to read. */
export interface PageInput {
  /** Number of rows to read: one more than the page size, to detect whether a next page exists. */
  size: number;
  /** Sort position of the previous page's last row. */
  after?: SortPosition | null | undefined;
}

/**
 * Builds a search for one page of the documents that match all clauses.
 * @param order sort keys; the last one makes the order unique
 * @param leading values of the sort keys before those of `after`, which are the same on all pages
 */
export const pageBody = (
  filter: readonly Clause[],
  order: readonly Clause[],
  { size, after }: PageInput,
  leading: readonly unknown[] = [],
): Record<string, unknown> => ({
  size,
  track_total_hits: false,
  query: { bool: { filter } },
  sort: order,
  ...(after ? { search_after: [...leading, ...after] } : {}),
});

/**
 * Builds a request that aggregates the documents that match all clauses. The response states at least whether there are
 * any, because the index of an empty result is checked again.
 * @param counted whether the response has the exact number of documents
 */
export const aggregationBody = (
  filter: readonly Clause[],
  aggs: Readonly<Record<string, Clause>>,
  counted = false,
): Record<string, unknown> => ({ size: 0, track_total_hits: counted ? true : 1, query: { bool: { filter } }, aggs });
