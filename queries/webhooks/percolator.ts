import type { ListingDocument } from '#domain/listings/document.ts';
import type { Clause } from '../clause.ts';
import { exportFilter } from '../exports/listings.ts';
import type { JsonFilters } from '../filters/compile.ts';
import { filterRows } from '../filters/table.ts';

/**
 * A stored query. Filters with words (`q`) have two: listings are matched first against the one without words, so that
 * few texts must be read.
 */
export interface StoredQuery {
  query: Clause;
  worded: boolean;
}

/**
 * The last one matches as a search, including plausibility.
 * @throws Error for a filter with `changesWithTime`, because its stored query would become outdated
 */
export function keptQueries(filters: JsonFilters): StoredQuery[] {
  const timely = filterRows().find(({ name, changesWithTime }) => changesWithTime && Object.hasOwn(filters, name));
  if (timely) throw new Error(`${timely.name} cannot be kept as a query`);
  const clause = (kept: JsonFilters): Clause => ({ bool: { filter: exportFilter(kept, { now: 0, typos: false }) } });
  const { q, ...wordless } = filters;
  return [
    { query: clause(wordless), worded: false },
    ...(q === undefined ? [] : [{ query: clause(filters), worded: true }]),
  ];
}

export type PercolatedListing = Pick<ListingDocument, 'filter' | 'text' | 'stats'>;

/** Sorts similar listings next to each other. */
export function compareLikeness({ filter: a }: PercolatedListing, { filter: b }: PercolatedListing): number {
  for (const field of ['city', 'listing_type', 'property_type'] as const)
    if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  return (a.price ?? 0) - (b.price ?? 0);
}

/**
 * Requests the stored queries that match any of the listings; each hit has the positions of these. The engine excludes
 * most queries by the listings' terms if these are few: times and ids that no query reads are omitted.
 * @param only ids of the queries to check; null for all
 * @param size at least the number of queries
 */
export function percolateBody(
  listings: readonly PercolatedListing[],
  { worded, only, size }: { worded: boolean; only: readonly string[] | null; size: number },
): Record<string, unknown> {
  const documents = listings.map(({ filter, text, stats }) => {
    const { id: _, first_seen_at: __, updated_at: ___, ...asked } = filter;
    const { plausible_typed, plausible_pooled } = stats;
    return { filter: asked, stats: { plausible_typed, plausible_pooled }, ...(worded ? { text } : {}) };
  });
  return {
    size,
    track_total_hits: false,
    _source: false,
    query: {
      bool: {
        filter: [
          { term: { worded } },
          ...(only === null ? [] : [{ ids: { values: only } }]),
          { percolate: { field: 'query', documents } },
        ],
      },
    },
    sort: ['_doc'],
  };
}
