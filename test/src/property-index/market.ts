import type pg from 'pg';
import { randomFrom } from '#domain/statistics/random.ts';

/** Synthetic official data for six quarters, in the format that the import writes. */
const FIRST = 2023 * 4 + 1;
const QUARTERS = 6;
/** The release month: by August, five of the six quarters are complete. */
export const MONTH = '2024-08';

type InventedDeal = ReturnType<typeof inventDeals>[number];

/**
 * Generates deals with a changing mix: the expensive neighborhoods of Riyadh have fewer and fewer deals. Abha is too small
 * for a series.
 */
export function inventDeals(seed: string) {
  const random = randomFrom(seed);
  const deals = [];
  for (const { city, neighborhoods, each } of [
    { city: 'riyadh', neighborhoods: 16, each: 40 },
    { city: 'abha', neighborhoods: 11, each: 12 },
  ])
    for (let at = 0; at < QUARTERS; at++)
      for (let neighborhood = 0; neighborhood < neighborhoods; neighborhood++) {
        const count = Math.round(each * (1 + (neighborhood / neighborhoods - 0.5) * (0.8 - at * 0.3)));
        for (let deal = 0; deal < count; deal++) {
          const area = 200 + Math.floor(random() * 600);
          const level = 1_000 * (1 + neighborhood / 8) * 1.03 ** at * Math.exp((random() - 0.5) * 0.6);
          const month = ((FIRST + at) % 4) * 3 + 1 + (deal % 3);
          deals.push({
            key: deals.length,
            city,
            // Every fourth neighborhood has only the ministry's name and no id.
            neighborhood_id: neighborhood % 4 === 3 ? null : 1_000 + neighborhood,
            ministry_city_ar: city === 'riyadh' ? 'الرياض' : 'أبها',
            ministry_district_ar: `حي ${neighborhood}`,
            land_use_class: deal % 9 === 8 ? 'commercial' : 'residential',
            day: `${Math.floor((FIRST + at) / 4)}-${String(month).padStart(2, '0')}-15`,
            quarter: FIRST + at,
            price_sar: Math.round(level * area),
            area_sqm: area,
          });
        }
      }
  return deals;
}

/** Replaces the recorded loads with one load per quarter. */
export async function recordDeals(db: pg.Pool, deals: readonly InventedDeal[]): Promise<void> {
  await db.query(`truncate transactions, sales_indicators, registered_rents, official_loads, official_files cascade`);
  const file = await one(db, `insert into official_files (digest, name) values ('d', 'invented') returning id`);
  for (let quarter = FIRST; quarter < FIRST + QUARTERS; quarter++) {
    const load = (kind: string, rows: number, day: string | null) =>
      one(
        db,
        `insert into official_loads (kind, quarter, file_id, digest, rows, last_day, state)
         values ($1, $2, $3, 'd', $4, $5, 'current') returning id`,
        [kind, quarter, file, rows, day],
      );
    const mine = deals.filter((deal) => deal.quarter === quarter);
    const last = mine
      .map(({ day }) => day)
      .sort()
      .at(-1) as string;
    await insert(db, 'transactions', await load('transactions', mine.length, last), mine);
    const places = Array.from({ length: 16 }, (_, place) => ({
      quarter,
      region_ar: 'الرياض',
      town_ar: 'الرياض',
      city: 'riyadh',
      neighborhood_id: 1_000 + place,
    }));
    const price = (place: number) => Math.round(4_000 * (1 + place / 16) * 1.02 ** (quarter - FIRST));
    await insert(
      db,
      'sales_indicators',
      await load('sales_indicators', 0, null),
      places.flatMap((place, at) =>
        ['land', 'apartment', 'floor'].flatMap((property_type) =>
          // Two rows per quarter, and a single deed whose mean the regulator suppresses.
          [20, 20, 1].map((deed_count, row) => ({
            ...place,
            property_type,
            land_use_class: 'residential',
            deed_count,
            value_sar: 987_654_321 + row,
            area_sqm: 1_000,
            mean_price_per_sqm_sar: deed_count === 1 ? null : price(at) + row * 10,
          })),
        ),
      ),
    );
    await insert(
      db,
      'registered_rents',
      await load('registered_rents', 0, null),
      places.map((place, at) => ({
        ...place,
        property_type: 'apartment',
        property_type_ar: 'شقة',
        contract_count: 100 + at,
        mean_rent_sar: price(at) * 6,
      })),
    );
  }
}

async function one(db: pg.Pool, statement: string, values: unknown[] = []): Promise<number> {
  const { rows } = await db.query<{ id: number }>(statement, values);
  return (rows[0] as { id: number }).id;
}

async function insert(db: pg.Pool, table: string, load: number, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] as object).join(', ');
  await db.query(
    `insert into ${table} (load_id, ${columns})
     select $1, ${columns} from jsonb_populate_recordset(null::${table}, $2::jsonb)`,
    [load, JSON.stringify(rows)],
  );
}

/**
 * Inserts rental listings of apartments. Some are live throughout, the others for a month. All rents rise by 2% per month.
 */
export async function recordListings(db: pg.Pool, firstMonth: number, months: number): Promise<void> {
  await db.query(
    `insert into listings (id, source, source_listing_id, content_hash, city, listing_type, property_type,
            listing_category, neighborhood_id, bedrooms, signature, needs_photos, first_seen_at, updated_at,
            updated_by_source, changed_run, content_run)
     select id, 'invented', id::text, '', 'riyadh', 'rent', 'apartment', 'residential', 1000 + id % 12, 2 + id % 2, '',
            false, now(), now(), true, 1, 1
       from generate_series(1, 240) as id`,
  );
  await db.query(
    `insert into listing_months (listing_id, first_month, last_month, listing_type, price, plausible, changed_run)
     select id, m, case when m = $1 + $2 - 1 then 32767 else m end, 'rent',
            (30000 + id % 12 * 2000 + id % 2 * 9000) * 1.02 ^ (m - $1), case when id = 1 then 0 else 3 end, 1
       from generate_series(1, 240) as id, generate_series($1::int, $1::int + $2::int - 1) as m
      where id <= 180 or id % 12 >= m % 12`,
    [firstMonth, months],
  );
}
