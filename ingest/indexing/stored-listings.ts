import type pg from 'pg';
import type { StoredListing } from '#domain/listings/listing.ts';
import { queryRows } from '../postgres/column-rows.ts';
import { asOf, type PublishedRun, recordsAsOf } from '../postgres/earlier-rows.ts';
import { LISTING_COLUMNS } from './listing-rows.ts';
import { storedListing } from './render-listing.ts';

/** Returns the current or last state of listings, or the published one, keyed by id. Unknown ids are omitted. */
export async function readStoredListings(
  pool: pg.Pool,
  ids: readonly number[],
  published?: PublishedRun,
): Promise<Map<number, StoredListing>> {
  const rows = await queryRows(pool, LISTING_COLUMNS, {
    from: `from ${asOf(published, 'listings')} l join ${recordsAsOf(published)} r on r.id = l.id
           left join listing_publications p on p.listing_id = l.id where l.id = any ($1::bigint[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, storedListing(row, row.firstSeen)]));
}
