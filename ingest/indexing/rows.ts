import type pg from 'pg';
import type { ListingOp } from '#search/listing-index/index.ts';
import type { NormalizedListing } from '../record.ts';
import { renderListing } from './render.ts';

/** A listing as the index stage reads it. Times in epoch seconds. */
export interface ListingRow {
  id: number;
  version: number;
  served: boolean;
  was_served: boolean;
  city: string;
  listing_type: string;
  property_type: string;
  neighborhood_id: number | null;
  price: number | null;
  previous_price: number | null;
  price_changed: number | null;
  first_seen: number;
  updated: number;
  /** Keys, separated by spaces. */
  photos: string;
  /** Names of sources, separated by commas. */
  also_listed_on: string;
  plausible_typed: boolean;
  plausible_pooled: boolean;
  /** The normalized ad, JSON; null for a listing that is not served. */
  record: string | null;
}

/** The columns of `ListingRow`, of `listings l` with its `listing_records r`. */
export const LISTING_COLUMNS = `l.id, l.version, l.served, l.was_served, l.city, l.listing_type, l.property_type,
  l.neighborhood_id, l.price, l.previous_price, extract(epoch from l.price_changed_at)::float8 as price_changed,
  extract(epoch from l.first_seen_at)::float8 as first_seen, extract(epoch from l.updated_at)::float8 as updated,
  l.photos, l.also_listed_on, l.plausible_typed, l.plausible_pooled, r.record`;

/** The next listings by id that a run changed, or all that are served where no run is given. */
export async function readRows(pool: pg.Pool, run: number | null, after: number, limit: number): Promise<ListingRow[]> {
  const { rows } = await pool.query<ListingRow>({
    name: run === null ? 'index-served' : 'index-changed',
    // Limited before it is joined, and the join bounded too: else the planner walks the records from their beginning.
    text: `select ${LISTING_COLUMNS}
             from (select * from listings
                    where ${run === null ? 'served and $1::integer is null' : 'changed_run = $1'} and id > $2
                    order by id limit ${limit}) l
             left join listing_records r on r.id = l.id and l.served and r.id > $2
            order by l.id`,
    values: [run, after],
  });
  return rows;
}

/**
 * What the index has to do for a row: nothing for one that neither was nor is served.
 * @param lastSeen epoch seconds at which the ad was confirmed
 */
export function operation(row: ListingRow, lastSeen: number): ListingOp | null {
  const { id, version, photos, also_listed_on } = row;
  if (!row.served) return row.was_served ? { op: 'delete', id, version } : null;
  const stored = renderListing(
    JSON.parse(row.record as string) as NormalizedListing,
    {
      id,
      previousPrice: row.previous_price,
      priceChanged: row.price_changed,
      firstSeen: row.first_seen,
      updated: row.updated,
      photos: photos === '' ? [] : photos.split(' '),
      alsoListedOn: also_listed_on === '' ? [] : also_listed_on.split(','),
      plausibleTyped: row.plausible_typed,
      plausiblePooled: row.plausible_pooled,
    },
    lastSeen,
  );
  return { op: 'index', id, version, stored };
}
