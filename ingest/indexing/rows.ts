import type pg from 'pg';
import type { ListingOp } from '#search/listing-index/index.ts';
import type { NormalizedListing } from '../record.ts';
import { renderListing } from './render.ts';

/** A listing as the index stage reads it: `COLUMNS` in their order. Times in epoch seconds. */
export type Row = [
  id: number,
  version: number,
  served: boolean,
  wasServed: boolean,
  city: string,
  listingType: string,
  propertyType: string,
  neighborhoodId: number | null,
  price: number | null,
  previousPrice: number | null,
  priceChanged: number | null,
  firstSeen: number,
  updated: number,
  photos: string,
  alsoListedOn: string,
  plausibleTyped: boolean,
  plausiblePooled: boolean,
  record: string | null,
];

/** `Row` as SQL, of `listings l` with its `listing_records r`. */
export const COLUMNS = `l.id, l.version, l.served, l.was_served, l.city, l.listing_type, l.property_type, l.neighborhood_id,
  l.price, l.previous_price, extract(epoch from l.price_changed_at)::float8, extract(epoch from l.first_seen_at)::float8,
  extract(epoch from l.updated_at)::float8, l.photos, l.also_listed_on, l.plausible_typed, l.plausible_pooled, r.record`;

/** The next listings by id that a run changed, or all that are served where no run is given. The ad itself only of served ones. */
export async function readRows(pool: pg.Pool, run: number | null, after: number, limit: number): Promise<Row[]> {
  const { rows } = await pool.query<Row>({
    name: run === null ? 'index-served' : 'index-changed',
    rowMode: 'array',
    // Limited before it is joined, and the join bounded too: else the planner walks the records from their beginning.
    text: `select ${COLUMNS}
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
export function operation(row: Row, lastSeen: number): ListingOp | null {
  const [id, version, served, wasServed] = row;
  if (!served) return wasServed ? { op: 'delete', id, version } : null;
  const stored = renderListing(
    JSON.parse(row[17] as string) as NormalizedListing,
    {
      id,
      previousPrice: row[9],
      priceChanged: row[10],
      firstSeen: row[11],
      updated: row[12],
      photos: row[13] === '' ? [] : row[13].split(' '),
      alsoListedOn: row[14] === '' ? [] : row[14].split(','),
      plausibleTyped: row[15],
      plausiblePooled: row[16],
    },
    lastSeen,
  );
  return { op: 'index', id, version, stored };
}
