import type { SortPosition } from '#domain/sort-position.ts';
import type { Clause } from './clause.ts';

export interface PageInput {
  /** One more than the page, to detect a next one. */
  size: number;
  /** Of the previous page. */
  after?: SortPosition | null | undefined;
}

/**
 * The last key of `order` makes it unique.
 * @param leading values of the sort keys before those of `after`
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
 * States at least whether there are documents: the index of an empty result is checked again.
 * @param counted with their exact number
 */
export const aggregationBody = (
  filter: readonly Clause[],
  aggs: Readonly<Record<string, Clause>>,
  counted = false,
): Record<string, unknown> => ({ size: 0, track_total_hits: counted ? true : 1, query: { bool: { filter } }, aggs });
