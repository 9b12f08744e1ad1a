import type { SortPosition } from '#domain/sort-position.ts';
import type { Clause } from '../clause.ts';
import { compileFilters } from '../filters/compile.ts';
import type { ClauseContext } from '../filters/kinds.ts';
import type { FilterValues } from '../filters/table.ts';
import { SORTS, type Sort, type SortName } from './sorts.ts';

export interface SearchInput {
  filters: FilterValues;
  sort: SortName;
  /** Number of rows, including one that shows whether more exist. */
  size: number;
  /** The last row of the previous page. */
  after?: SortPosition | null | undefined;
  /** Maximum value of the first sort key. */
  upTo?: number | undefined;
}

/**
 * Selects listings with plausible price and size: by the bounds of the property type if exactly one is given, otherwise by
 * those of all types together. Both flags are false without a price.
 * @param flags prefix of the names of the two fields
 */
export function plausible(filters: FilterValues, flags = 'stats.plausible'): Clause {
  // A repeated type is one type.
  const oneType = new Set(filters.property_type).size === 1;
  return { term: { [`${flags}_${oneType ? 'typed' : 'pooled'}`]: true } };
}

/** The filter clauses of search, also for counts and for everything else that covers the results of search. */
export function searchFilter(filters: FilterValues, context: ClauseContext): Clause[] {
  return [...compileFilters(filters, context), plausible(filters)];
}

/** Reads a page of listings with the complete `_source`: selecting fields would make OpenSearch parse every hit. */
export function searchBody(input: SearchInput, context: ClauseContext): Record<string, unknown> {
  const { city, listing_type } = input.filters;
  return pageBody({ ...input, filter: searchFilter(input.filters, context), city, listing_type });
}

/** Reads a page of the listings that match clauses. */
export function pageBody(input: {
  filter: readonly Clause[];
  sort: SortName;
  size: number;
  after?: SortPosition | null | undefined;
  upTo?: number | undefined;
  /** Set if the clauses select one city and one listing type. */
  city?: string | undefined;
  listing_type?: string | undefined;
}): Record<string, unknown> {
  const sort: Sort = SORTS[input.sort];
  const filter = [...input.filter];
  if (sort.filter) filter.push(sort.filter);
  const order = sort.keys.map(([field, direction]) => ({ [field]: direction }));
  const { city, listing_type } = input;
  // With one city and one listing type, this is the sort order of the index, so OpenSearch stops at the last row of the
  // page.
  const inOrder = sort.indexOrder === true && city !== undefined && listing_type !== undefined;
  const leading = inOrder ? [city, listing_type] : [];
  if (inOrder) order.unshift({ 'filter.city': 'asc' }, { 'filter.listing_type': 'asc' });
  const [field, direction] = sort.keys[0];
  if (input.upTo !== undefined) filter.push({ range: { [field]: { lte: input.upTo } } });
  if (input.after) {
    // The same condition as `search_after`, which OpenSearch can look up instead of reading all rows before the page.
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

/** Counts the listings that search returns over all its pages. */
export function countBody(filters: FilterValues, context: ClauseContext): Record<string, unknown> {
  return { size: 0, track_total_hits: true, query: { bool: { filter: searchFilter(filters, context) } } };
}

/**
 * Reads listings by id, plausible or not. The first sort value of a listing is 1 if a search by its city and listing type
 * returns it.
 */
export function byIdsBody(ids: readonly number[]): Record<string, unknown> {
  return {
    size: ids.length,
    track_total_hits: false,
    query: { bool: { filter: [{ terms: { 'filter.id': ids } }] } },
    sort: [{ 'stats.plausible_pooled': 'asc' }, { 'filter.id': 'asc' }],
  };
}

/** Reads only the values of `modified_at` of listings by id. */
export function modifiedBody(ids: readonly number[]): Record<string, unknown> {
  return { ...byIdsBody(ids), _source: false, docvalue_fields: ['filter.modified'] };
}

/** Adds the digests of the stored bytes to a search. */
export function withDigests(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...body, docvalue_fields: ['digest'] };
}

/**
 * Returns the same search for digests only. No stored field is read, not even the id, which is the last sort value.
 * @param body search that is sorted by the id last
 */
export function digestsOnly(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...withDigests(body), _source: false, stored_fields: '_none_' };
}
