import type { Clause } from '../clause.ts';
import type { JsonFilters } from '../filters/json.ts';
import type { ClauseContext } from '../filters/kinds.ts';
import { filterRows } from '../filters/table.ts';
import { searchFilter } from '../listings/search.ts';

/** A point in time to read from, as the engine takes it. */
export interface PitClause {
  id: string;
  /** How long it is to live from now on. */
  keep_alive: string;
}

/** The listings that a search for any of the cities and listing types finds with the same filters. */
export function exportFilter(filters: JsonFilters, context: ClauseContext): Clause[] {
  const { city, listing_type, ...rest } = filters;
  return [...anyOf('city', city), ...anyOf('listing_type', listing_type), ...searchFilter(rest, context)];
}

function anyOf(name: 'city' | 'listing_type', values: readonly string[] | undefined): Clause[] {
  const row = filterRows().find((each) => each.name === name);
  return row && values !== undefined ? [{ terms: { [row.field]: values } }] : [];
}

/** How many rows there are. */
export function exportCountBody(filter: readonly Clause[], pit: PitClause): Record<string, unknown> {
  return { size: 0, track_total_hits: true, pit, query: { bool: { filter } } };
}

export interface ExportPage {
  filter: readonly Clause[];
  pit: PitClause;
  size: number;
  /** The last row of the page before, by its place in the index. */
  after: number | null;
}

/**
 * Reads a page of rows in index order, which costs the least. `_source` comes complete, as in a search. One reader gets 34,000
 * rows a second, more than can be written; parallel slices would cost the engine as much for each row, and take the processors
 * from searches.
 */
export function exportPageBody({ filter, pit, size, after }: ExportPage): Record<string, unknown> {
  return {
    size,
    track_total_hits: false,
    pit,
    query: { bool: { filter } },
    sort: ['_shard_doc'],
    ...(after === null ? {} : { search_after: [after] }),
  };
}

/** Reads listings by id at a point in time, regardless of plausibility. */
export function exportByIdsBody(ids: readonly number[], pit: PitClause): Record<string, unknown> {
  return {
    size: ids.length,
    track_total_hits: false,
    pit,
    query: { bool: { filter: [{ terms: { 'filter.id': ids } }] } },
    sort: ['_shard_doc'],
  };
}
