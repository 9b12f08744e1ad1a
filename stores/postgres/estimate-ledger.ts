import { PROPERTY_TYPES } from '#domain/listing-vocabulary.ts';
import * as sql from './rows.ts';
import type { Queryable } from './transaction.ts';

/** Days for which estimates are retained. */
export const LEDGER_DAYS = 400;
/** The newest estimates of a city bound the work of a request. */
const MAX_ROWS = 20_000;

const RECORDED = {
  day: sql.text,
  property_type: sql.oneOf(PROPERTY_TYPES),
  price: sql.number,
  estimate: sql.number,
  reach_80: sql.number,
  reach_50: sql.number,
};
export type LedgerEntry = sql.RowOf<typeof RECORDED>;

/** Fewer estimates do not state an expected error. */
const MIN_SCORED = 30;
/** Days of which estimates are read for the expected error. The whole ledger takes seconds. */
const EXPECTED_DAYS = 90;

const EXPECTED = {
  /** Null for the cohort of all cities. */
  city: sql.nullable(sql.text),
  listing_type: sql.text,
  property_type: sql.text,
  sample_size: sql.integer,
  median_error: sql.number,
  within_10: sql.number,
  within_20: sql.number,
};
export type ExpectedError = sql.RowOf<typeof EXPECTED>;

type Entry = LedgerEntry & { listing_id: number; city: string; listing_type: string; version: string };

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

/** @throws StoreError */
export const readEstimates = (
  db: Queryable,
  { city, listing_type, version }: { city: string; listing_type: string; version: string },
): Promise<LedgerEntry[]> =>
  sql.readRows(db, RECORDED, {
    name: 'estimates',
    text: `select to_char(day, 'YYYY-MM-DD') as day, property_type, price, estimate, reach_80, reach_50 from estimate_ledger
            where city = $1 and listing_type = $2 and version = $3 order by day desc, listing_id limit ${MAX_ROWS}`,
    values: [city, listing_type, version],
  });

/**
 * Returns errors as shares of the price. Cohorts of a city precede those of all cities.
 * @throws StoreError
 */
export const readExpectedErrors = (db: Queryable, version: string, now: number): Promise<ExpectedError[]> =>
  sql.readRows(db, EXPECTED, {
    name: 'expected-errors',
    text: `select city, listing_type, property_type, count(*)::integer as sample_size,
                  percentile_cont(0.5) within group (order by error) as median_error,
                  avg((error <= 0.1)::integer)::float8 as within_10, avg((error <= 0.2)::integer)::float8 as within_20
             from (select *, abs(estimate / price - 1) as error from estimate_ledger
                   where version = $1 and day >= $2::date - ${EXPECTED_DAYS}) scored
            group by grouping sets ((city, listing_type, property_type), (listing_type, property_type))
           having count(*) >= ${MIN_SCORED} order by city nulls last`,
    values: [version, new Date(now)],
  });
