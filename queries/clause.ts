import type { SortPosition } from '#domain/sort-position.ts';

export type Clause = Readonly<Record<string, unknown>>;

export const not = (clause: Clause): Clause => ({ bool: { must_not: [clause] } });

export const allOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 && clauses[0] ? clauses[0] : { bool: { filter: clauses } };

export const anyOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 && clauses[0] ? clauses[0] : { bool: { should: clauses, minimum_should_match: 1 } };

export interface PageInput {
  /** One more than the page size, to detect whether a next page exists. */
  size: number;
  /** Sort position of the previous page's last row. */
  after?: SortPosition | null | undefined;
}

/**
 * @param order sort keys, of which the last one makes the order unique
 * @param leading values of the sort keys before those of `after`, the same on all pages
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

/** States at least whether there are documents, because the index of an empty result is checked again. */
export const aggregationBody = (
  filter: readonly Clause[],
  aggs: Readonly<Record<string, Clause>>,
  counted = false,
): Record<string, unknown> => ({ size: 0, track_total_hits: counted ? true : 1, query: { bool: { filter } }, aggs });
