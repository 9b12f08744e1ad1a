import type pg from 'pg';
import type { RentRow } from '#domain/official/rents.ts';
import type { LoadedQuarter } from '#domain/official/rules.ts';
import type { IndexItem, RegionSlug } from '#domain/official/vocabulary.ts';
import { postgresFailure } from './failures.ts';

/** A pool, or the connection of a transaction. */
type Queryable = Pick<pg.ClientBase, 'query'>;

/**
 * Runs a query on official data. Each exported function runs a single statement, so that it reads a quarter either before or
 * after its replacement.
 * @throws StoreError
 */
async function read<T extends pg.QueryResultRow>(pool: Queryable, name: string, text: string, values: unknown[]) {
  const { rows } = await pool.query<T>({ name, text, values }).catch((error: unknown) => {
    throw postgresFailure(error);
  });
  return rows;
}

/** Returns the quarters with registered deals, including deals that rules exclude. */
export function readLoadedQuarters(pool: Queryable): Promise<LoadedQuarter[]> {
  return read(
    pool,
    'official-quarters',
    `select scope, quarter, to_char(last_day, 'YYYY-MM-DD') as last_day, names_classes from official_loads
      where kind = 'transactions' and state = 'current' and last_day is not null order by quarter`,
    [],
  );
}

/** Registered rents of a city: all quarters, and the rows of one quarter. */
export interface CityRents {
  quarters: number[];
  /** The requested quarter, or the latest; null if there is none. */
  quarter: number | null;
  rows: RentRow[];
}

/** @param quarter null for the latest quarter */
export async function readRents(pool: pg.Pool, city: string, quarter: number | null): Promise<CityRents> {
  const rows = await read<RentRow & { quarters: number[]; asked: number | null }>(
    pool,
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
    quarter: first?.asked ?? null,
    rows: rows.filter((row) => row.quarter !== null),
  };
}

/** Returns the quarters for which the regulator published rents, ascending. @param cities null for all cities */
export async function readRentQuarters(pool: Queryable, cities: readonly string[] | null): Promise<number[]> {
  const rows = await read<{ quarter: number }>(
    pool,
    'official-rent-quarters',
    `select distinct r.quarter from registered_rents r join official_loads l on l.id = r.load_id
      where l.state = 'current' and r.city is not null and ($1::text[] is null or r.city = any ($1)) order by r.quarter`,
    [cities],
  );
  return rows.map(({ quarter }) => quarter);
}

/** A rent row with its city. */
export interface PlacedRentRow extends RentRow {
  city: string;
}

export interface RentSelection {
  /** Null selects all values, also in the filters below. */
  cities: readonly string[] | null;
  neighborhoods: readonly number[] | null;
  propertyTypes: readonly string[] | null;
  quarters: readonly number[] | null;
  /** Minimum number of contracts of a cell. */
  least: number;
}

/** Returns registered rents of several cities and quarters. */
export function readAllRents(pool: pg.Pool, wanted: RentSelection): Promise<PlacedRentRow[]> {
  return read(
    pool,
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

export interface IndexRow {
  quarter: number;
  item: IndexItem;
  item_ar: string;
  base_year: number;
  index_value: number;
  weight: number | null;
  change_yoy: number | null;
  change_qoq: number | null;
}

/** Returns the price index of the statistics office for a region: all items and quarters, in this order. */
export function readPriceIndex(pool: pg.Pool, region: RegionSlug): Promise<IndexRow[]> {
  return read(
    pool,
    'official-price-index',
    `select i.quarter, item, item_ar, base_year, index_value, weight, change_yoy, change_qoq
       from price_index i join official_loads l on l.id = i.load_id
      where region = $1 and l.state = 'current' order by item, i.quarter`,
    [region],
  );
}
