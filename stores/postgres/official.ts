import type pg from 'pg';
import { INDEX_ITEMS, RENT_PROPERTY_TYPES, type RegionSlug } from '#domain/official/official-vocabulary.ts';
import type { RentRow } from '#domain/official/rents.ts';
import type { LoadedQuarter } from '#domain/official/rules.ts';
import * as sql from './rows.ts';
import type { Queryable } from './transaction.ts';

/**
 * Each exported function runs a single statement, so that it reads a quarter either before or after its replacement.
 * @throws StoreError
 */
const read = <C extends sql.Columns>(db: Queryable, columns: C, name: string, statement: string, values: unknown[]) =>
  sql.readRows(db, columns, { name, text: statement, values });

const LOADED_QUARTER = { scope: sql.text, quarter: sql.integer, last_day: sql.text, names_classes: sql.boolean };
const RENT = {
  quarter: sql.integer,
  neighborhood_id: sql.nullable(sql.integer),
  neighborhood_ar: sql.nullable(sql.text),
  town_ar: sql.text,
  property_type: sql.oneOf(RENT_PROPERTY_TYPES),
  property_type_ar: sql.text,
  contract_count: sql.integer,
  mean_rent_sar: sql.nullable(sql.number),
  mean_rent_per_sqm_sar: sql.nullable(sql.number),
};

/** Returns the quarters that have registered deals, including deals that rules exclude. */
export function readLoadedQuarters(pool: Queryable): Promise<LoadedQuarter[]> {
  return read(
    pool,
    LOADED_QUARTER,
    'official-quarters',
    `select scope, quarter, to_char(last_day, 'YYYY-MM-DD') as last_day, names_classes from official_loads
      where kind = 'transactions' and state = 'current' and last_day is not null order by quarter`,
    [],
  );
}

/**
 * Returns all available quarters, and the rows of one.
 * @param quarter null selects the latest
 */
export async function readRents(pool: pg.Pool, city: string, quarter: number | null) {
  const rows = await read(
    pool,
    {
      quarters: sql.nullable(sql.listOf(sql.integer)),
      asked: sql.nullable(sql.integer),
      quarter: sql.nullable(sql.integer),
    },
    'official-rents',
    `with r as materialized (
       select r.* from registered_rents r join official_loads l on l.id = r.load_id where r.city = $1 and l.state = 'current'),
     asked as (select coalesce($2::smallint, max(quarter)) as quarter from r)
     select (select array_agg(distinct quarter order by quarter) from r) as quarters, asked.quarter as asked,
            r.quarter, neighborhood_id, neighborhood_ar, town_ar, property_type, property_type_ar, contract_count,
            mean_rent_sar, mean_rent_per_sqm_sar
       from asked left join r on r.quarter = asked.quarter
      order by town_ar, neighborhood_ar nulls first, property_type, property_type_ar`,
    [city, quarter],
  );
  const [first] = rows;
  return {
    quarters: first?.quarters ?? [],
    /** The requested or latest quarter; null without data. */
    quarter: first?.asked ?? null,
    rows: rows.flatMap((row): RentRow[] => (row.quarter === null ? [] : [sql.checkRow(RENT, row)])),
  };
}

/**
 * Ascending.
 * @param cities null for all
 */
export async function readRentQuarters(pool: Queryable, cities: readonly string[] | null): Promise<number[]> {
  const rows = await read(
    pool,
    { quarter: sql.integer },
    'official-rent-quarters',
    `select distinct r.quarter from registered_rents r join official_loads l on l.id = r.load_id
      where l.state = 'current' and r.city is not null and ($1::text[] is null or r.city = any ($1)) order by r.quarter`,
    [cities],
  );
  return rows.map(({ quarter }) => quarter);
}

const PLACED_RENT = { ...RENT, city: sql.text };
export type PlacedRentRow = sql.RowOf<typeof PLACED_RENT>;

export interface RentSelection {
  /** Null selects all values of a filter. */
  cities: readonly string[] | null;
  neighborhoods: readonly number[] | null;
  propertyTypes: readonly string[] | null;
  quarters: readonly number[] | null;
  /** Minimum number of contracts in a row. */
  least: number;
}

export function readAllRents(pool: pg.Pool, wanted: RentSelection): Promise<PlacedRentRow[]> {
  return read(
    pool,
    PLACED_RENT,
    'official-all-rents',
    `select r.city, r.quarter, neighborhood_id, neighborhood_ar, town_ar, property_type, property_type_ar, contract_count,
            mean_rent_sar, mean_rent_per_sqm_sar
       from registered_rents r join official_loads l on l.id = r.load_id
      where l.state = 'current' and r.city is not null and contract_count >= $5
        and ($1::text[] is null or r.city = any ($1)) and ($2::int[] is null or neighborhood_id = any ($2))
        and ($3::text[] is null or property_type = any ($3)) and ($4::int[] is null or r.quarter = any ($4))
      order by r.city, r.quarter, town_ar, neighborhood_ar nulls first, property_type, property_type_ar`,
    [wanted.cities, wanted.neighborhoods, wanted.propertyTypes, wanted.quarters, wanted.least],
  );
}

const APARTMENT_MEAN = {
  quarter: sql.integer,
  neighborhood_id: sql.nullable(sql.integer),
  count: sql.integer,
  mean: sql.number,
  low: sql.number,
  high: sql.number,
};

/** Means per square meter by quarter and neighborhood, weighted by deeds. */
export function readApartmentMeans(pool: Queryable, city: string, quarterFrom: number, quarterTo: number) {
  return read(
    pool,
    APARTMENT_MEAN,
    'official-apartment-means',
    `select t.quarter, t.neighborhood_id, sum(t.deed_count)::int as count,
            (sum(t.mean_price_per_sqm_sar::numeric * t.deed_count) / sum(t.deed_count))::float8 as mean,
            min(t.min_price_per_sqm_sar) as low, max(t.max_price_per_sqm_sar) as high
       from sales_indicators t join official_loads l on l.id = t.load_id
      where l.state = 'current' and t.city = $1 and t.quarter between $2 and $3 and t.property_type = 'apartment'
        and coalesce(t.neighborhood_id::text, t.neighborhood_ar) is not null
        and t.deed_count > 0 and t.mean_price_per_sqm_sar > 0 and t.min_price_per_sqm_sar > 0 and t.max_price_per_sqm_sar > 0
      group by t.quarter, t.neighborhood_id, coalesce(t.neighborhood_id::text, t.neighborhood_ar)`,
    [city, quarterFrom, quarterTo],
  );
}

const INDEX_ROW = {
  quarter: sql.integer,
  item: sql.oneOf(INDEX_ITEMS),
  item_ar: sql.text,
  base_year: sql.integer,
  index_value: sql.number,
  weight: sql.nullable(sql.number),
  change_yoy: sql.nullable(sql.number),
  change_qoq: sql.nullable(sql.number),
};
export type IndexRow = sql.RowOf<typeof INDEX_ROW>;

/** Sorted by item, then quarter. */
export function readPriceIndex(pool: pg.Pool, region: RegionSlug): Promise<IndexRow[]> {
  return read(
    pool,
    INDEX_ROW,
    'official-price-index',
    `select i.quarter, item, item_ar, base_year, index_value, weight, change_yoy, change_qoq
       from price_index i join official_loads l on l.id = i.load_id
      where region = $1 and l.state = 'current' order by item, i.quarter`,
    [region],
  );
}
