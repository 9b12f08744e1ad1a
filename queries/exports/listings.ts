import { cornersOf, formatPolygon } from '#domain/geography/shapes.ts';
import type { Clause } from '../clause.ts';
import type { JsonFilters } from '../filters/compile.ts';
import type { ClauseContext } from '../filters/kinds.ts';
import { rowOf } from '../filters/table.ts';
import { searchFilter } from '../listings/search.ts';

export interface PitClause {
  id: string;
  /** For example `2m`. */
  keep_alive: string;
}

/** Matches the listings that searches with the same filters return, over all given cities and listing types. */
export function exportFilter(filters: JsonFilters, context: ClauseContext): Clause[] {
  const { city, listing_type, polygon, ...rest } = filters;
  const search = polygon === undefined ? rest : { ...rest, polygon: formatPolygon(cornersOf(polygon)) };
  return [...anyOf('city', city), ...anyOf('listing_type', listing_type), ...searchFilter(search, context)];
}

const anyOf = (name: 'city' | 'listing_type', values: readonly string[] | undefined): Clause[] =>
  values === undefined ? [] : [{ terms: { [rowOf(name).field]: values } }];

export function exportCountBody(filter: readonly Clause[], pit: PitClause): Record<string, unknown> {
  return { size: 0, track_total_hits: true, pit, query: { bool: { filter } } };
}

export interface ExportPage {
  filter: readonly Clause[];
  pit: PitClause;
  size: number;
  after: number | null;
  /** Values of these fields instead of the document. */
  fields?: readonly string[];
}

/**
 * Requests a page in index order, the least expensive one. One reader gets 34,000 rows per second, more than the export
 * can write.
 */
export function exportPageBody({ filter, pit, size, after, fields }: ExportPage): Record<string, unknown> {
  return {
    size,
    track_total_hits: false,
    pit,
    query: { bool: { filter } },
    sort: ['_shard_doc'],
    ...(after === null ? {} : { search_after: [after] }),
    ...(fields && { docvalue_fields: fields, stored_fields: '_none_' }),
  };
}

/** Requests listings by id within a point in time, including implausible ones. */
export function exportByIdsBody(ids: readonly number[], pit: PitClause): Record<string, unknown> {
  return exportPageBody({ filter: [{ terms: { 'filter.id': ids } }], pit, size: ids.length, after: null });
}
