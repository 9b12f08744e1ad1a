import { PROPERTY_TYPES } from '#domain/listings/vocabulary.ts';
import { readRows } from './read-rows.ts';
import * as sql from './rows.ts';
import type { Queryable } from './transaction.ts';

/** Days for which estimates are retained. */
export const LEDGER_DAYS = 400;
/** Bounds the work of a request: the newest estimates of a city. */
const MAX_ROWS = 20_000;

const RECORDED = {
  day: sql.text,
  property_type: sql.oneOf(PROPERTY_TYPES),
  price: sql.number,
  estimate: sql.number,
  reach_80: sql.number,
  reach_50: sql.number,
};
export type Recorded = sql.RowOf<typeof RECORDED>;

type Entry = Recorded & { listing_id: number; city: string; listing_type: string; version: string };

/** @returns whether the listing had no estimate */
export async function recordEstimate(db: Queryable, entry: Entry): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into estimate_ledger
       (listing_id, day, city, listing_type, property_type, version, price, estimate, reach_80, reach_50)
     select listing_id, day, city, listing_type, property_type, version, price, estimate, reach_80, reach_50
       from jsonb_populate_record(null::estimate_ledger, $1) on conflict do nothing`,
    [JSON.stringify(entry)],
  );
  return rowCount === 1;
}

/**
 * Returns the newest estimates of a city by one version of the method.
 * @throws StoreError
 */
export const readEstimates = (
  db: Queryable,
  { city, listing_type, version }: { city: string; listing_type: string; version: string },
): Promise<Recorded[]> =>
  readRows(db, RECORDED, {
    name: 'estimates',
    text: `select to_char(day, 'YYYY-MM-DD') as day, property_type, price, estimate, reach_80, reach_50 from estimate_ledger
            where city = $1 and listing_type = $2 and version = $3 order by day desc, listing_id limit ${MAX_ROWS}`,
    values: [city, listing_type, version],
  });
