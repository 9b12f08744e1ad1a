import type { ListingDocument } from '#domain/listings/document.ts';
import type { Clause } from '../clause.ts';
import { exportFilter } from '../exports/listings.ts';
import type { JsonFilters } from '../filters/json.ts';
import { filterRows } from '../filters/table.ts';

/**
 * What is kept for a webhook endpoint. Filters with words (`q`) are kept twice, without them and whole: listings are
 * matched with the former first, so that few texts have to be read.
 */
export interface KeptQuery {
  query: Clause;
  worded: boolean;
}

/**
 * The queries that are kept for a webhook endpoint: the last finds what a search with the same filters finds,
 * plausibility included. Pure.
 * @throws Error on a filter whose clause depends on the present: a kept query would be wrong a day later
 */
export function keptQueries(filters: JsonFilters): KeptQuery[] {
  const timely = filterRows().find(({ name, alertable }) => !alertable && Object.hasOwn(filters, name));
  if (timely) throw new Error(`${timely.name} cannot be kept as a query`);
  const clause = (kept: JsonFilters): Clause => ({ bool: { filter: exportFilter(kept, { now: 0, typos: false }) } });
  const { q, ...wordless } = filters;
  return [
    { query: clause(wordless), worded: false },
    ...(q === undefined ? [] : [{ query: clause(filters), worded: true }]),
  ];
}

/** A listing as it is matched: the blocks that queries look at. */
export type PercolatedListing = Pick<ListingDocument, 'filter' | 'text' | 'stats'>;

/** The order in which listings lie beside those that are like them. */
export function compareLikeness({ filter: a }: PercolatedListing, { filter: b }: PercolatedListing): number {
  for (const field of ['city', 'listing_type', 'property_type'] as const)
    if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  return (a.price ?? 0) - (b.price ?? 0);
}

/**
 * Finds the kept queries that any of the listings matches, each with the places of those listings. The engine rules most
 * queries out by the terms of the listings, as long as those are few: nothing is sent that no kept query asks for, and no
 * text to queries without words. Pure.
 * @param only ids of the queries that are asked; all of them when null
 * @param size queries to answer at most: as many as there are
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
