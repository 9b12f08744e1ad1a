import type { SortPosition } from '#domain/sort-position.ts';
import type { Clause } from '../clause.ts';
import { compileFilters } from '../filters/compile.ts';
import type { ClauseContext } from '../filters/kinds.ts';
import type { FilterValues } from '../filters/table.ts';
import { SORTS, type Sort, type SortName } from './sorts.ts';

export interface SearchInput {
  filters: FilterValues;
  sort: SortName;
  /** Rows wanted, the one that tells whether there are more included. */
  size: number;
  /** The last row of the page before. */
  after?: SortPosition | undefined;
}

/**
 * Only listings whose price and size are plausible: calibrated for the type when exactly one is asked for, over all
 * types together otherwise. Both flags are false where there is no price.
 * @param flags what the names of the two fields begin with
 */
export function plausible(filters: FilterValues, flags = 'stats.plausible'): Clause {
  const types = filters.property_type;
  // One type written twice is one type.
  const one = Array.isArray(types) && new Set(types).size === 1;
  return { term: { [`${flags}_${one ? 'typed' : 'pooled'}`]: true } };
}

/** The filter part that search, count and everything that "uses the filter of search" share. */
export function searchFilter(filters: FilterValues, context: ClauseContext): Clause[] {
  return [...compileFilters(filters, context), plausible(filters)];
}

/** A page of listings. `_source` comes whole, because any selection makes the engine parse every hit. */
export function searchBody(input: SearchInput, context: ClauseContext): Record<string, unknown> {
  const sort: Sort = SORTS[input.sort];
  const filter = searchFilter(input.filters, context);
  if (sort.filter) filter.push(sort.filter);
  const order = sort.keys.map(([field, direction]) => ({ [field]: direction }));
  const { city, listing_type } = input.filters;
  // Every search names one city and one listing type. Putting them first makes this the order the index is kept in,
  // so that the engine stops at the page's last row.
  const leading = sort.indexOrder ? [city, listing_type] : [];
  if (sort.indexOrder) order.unshift({ 'filter.city': 'asc' }, { 'filter.listing_type': 'asc' });
  if (input.after) {
    const [field, direction] = sort.keys[0];
    // Says the same as search_after, and lets the engine start at the page instead of walking to it.
    filter.push({ range: { [field]: { [direction === 'asc' ? 'gte' : 'lte']: input.after[0] } } });
  }
  return {
    size: input.size,
    track_total_hits: false,
    query: { bool: { filter } },
    sort: order,
    ...(input.after ? { search_after: [...leading, ...input.after] } : {}),
  };
}

/** The exact number of listings that search would return in all. */
export function countBody(filters: FilterValues, context: ClauseContext): Record<string, unknown> {
  return { size: 0, track_total_hits: true, query: { bool: { filter: searchFilter(filters, context) } } };
}

/** Listings by id, whatever their plausibility. */
export function byIdsBody(ids: readonly number[]): Record<string, unknown> {
  return {
    size: ids.length,
    track_total_hits: false,
    query: { bool: { filter: [{ terms: { 'filter.id': ids } }] } },
    sort: [{ 'filter.id': 'asc' }],
  };
}
