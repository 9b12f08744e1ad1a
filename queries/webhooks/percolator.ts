import type { Clause } from '../clause.ts';
import { exportFilter } from '../exports/listings.ts';
import type { JsonFilters } from '../filters/json.ts';
import { filterRows } from '../filters/table.ts';

/**
 * The query that is kept for a webhook endpoint: what a search with the same filters finds, plausibility included. Pure.
 * @throws Error on a filter whose clause depends on the present: a kept query would be wrong a day later
 */
export function subscriptionQuery(filters: JsonFilters): Clause {
  const timely = filterRows().find(({ name, alertable }) => !alertable && Object.hasOwn(filters, name));
  if (timely) throw new Error(`${timely.name} cannot be kept as a query`);
  return { bool: { filter: exportFilter(filters, { now: 0 }) } };
}

/** A listing as it is matched: the blocks that queries look at. */
export interface PercolatedListing {
  filter: object;
  text: object;
  stats: object;
}

/**
 * Finds the kept queries that any of the listings matches, each with the places of those listings. Pure.
 * @param only ids of the queries that are asked; all of them when null
 * @param size queries to answer at most: as many as there are
 */
export function percolateBody(
  listings: readonly PercolatedListing[],
  only: readonly string[] | null,
  size: number,
): Record<string, unknown> {
  const documents = listings.map(({ filter, text, stats }) => ({ filter, text, stats }));
  const asked = only === null ? [] : [{ ids: { values: only } }];
  return {
    size,
    track_total_hits: false,
    _source: false,
    query: { bool: { filter: [...asked, { percolate: { field: 'query', documents } }] } },
    sort: ['_doc'],
  };
}
