import type { SortPosition } from '#domain/sort-position.ts';
import type { Clause } from '../clause.ts';
import { compileFilters } from '../filters/compile.ts';
import type { ClauseContext } from '../filters/kinds.ts';
import type { FilterValues } from '../filters/table.ts';
import { SORTS, type Sort, type SortName } from './sorts.ts';

export interface SearchInput {
  filters: FilterValues;
  sort: SortName;
  /** Rows to read, including the one that shows whether more exist. */
  size: number;
  /** The last row of the page before. */
  after?: SortPosition | null | undefined;
  /** The greatest value of the first key that is shown. */
  upTo?: number | undefined;
}

/**
 * Only listings whose price and size are plausible: by the bounds of the property type when exactly one is given, by those
 * of all types together otherwise. Both flags are false for a listing without a price.
 * @param flags how the names of the two fields begin
 */
export function plausible(filters: FilterValues, flags = 'stats.plausible'): Clause {
  // One type written twice is one type.
  const oneType = new Set(filters.property_type).size === 1;
  return { term: { [`${flags}_${oneType ? 'typed' : 'pooled'}`]: true } };
}

/** The filter clauses of search, shared by count and by everything that covers the listings search finds. */
export function searchFilter(filters: FilterValues, context: ClauseContext): Clause[] {
  return [...compileFilters(filters, context), plausible(filters)];
}

/** A page of listings. `_source` comes whole: selecting fields of it would make OpenSearch parse every hit. */
export function searchBody(input: SearchInput, context: ClauseContext): Record<string, unknown> {
  const { city, listing_type } = input.filters;
  return pageBody({ ...input, filter: searchFilter(input.filters, context), city, listing_type });
}

/** A page of the listings that clauses let through. */
export function pageBody(input: {
  filter: readonly Clause[];
  sort: SortName;
  size: number;
  after?: SortPosition | null | undefined;
  upTo?: number | undefined;
  /** Given where the clauses let one of each through. */
  city?: string | undefined;
  listing_type?: string | undefined;
}): Record<string, unknown> {
  const sort: Sort = SORTS[input.sort];
  const filter = [...input.filter];
  if (sort.filter) filter.push(sort.filter);
  const order = sort.keys.map(([field, direction]) => ({ [field]: direction }));
  const { city, listing_type } = input;
  // With one city and one listing type in front, this is the sort order of the index itself, so that OpenSearch stops at
  // the page's last row.
  const inOrder = sort.indexOrder === true && city !== undefined && listing_type !== undefined;
  const leading = inOrder ? [city, listing_type] : [];
  if (inOrder) order.unshift({ 'filter.city': 'asc' }, { 'filter.listing_type': 'asc' });
  const [field, direction] = sort.keys[0];
  if (input.upTo !== undefined) filter.push({ range: { [field]: { lte: input.upTo } } });
  if (input.after) {
    // The same condition as `search_after`, which OpenSearch can look up instead of walking through all rows before the page.
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

/** The exact number of listings that search returns over all its pages. */
export function countBody(filters: FilterValues, context: ClauseContext): Record<string, unknown> {
  return { size: 0, track_total_hits: true, query: { bool: { filter: searchFilter(filters, context) } } };
}

/**
 * Listings by id, plausible or not. The first sort value of a listing is 1 when a search by its city and listing type alone
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

/** The values of `modified_at` of listings by id, and nothing else of them. */
export function modifiedBody(ids: readonly number[]): Record<string, unknown> {
  return { ...byIdsBody(ids), _source: false, docvalue_fields: ['filter.modified'] };
}

/** Adds the digests of the stored bytes to a search. */
export function withDigests(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...body, docvalue_fields: ['digest'] };
}

/**
 * The same search for digests alone. No stored field is read, not even the id: that is the last sort value.
 * @param body of a search that is sorted by the id last
 */
export function digestsOnly(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...withDigests(body), _source: false, stored_fields: '_none_' };
}
