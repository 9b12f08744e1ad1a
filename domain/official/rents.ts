import type { neighborhoodNames } from '../geography/reference.ts';
import { integer, type JsonSchema, nullable, number, object, oneOf, string } from '../json-schema.ts';
import { PROPERTY_TYPE_TABLE } from '../listing-vocabulary.ts';
import { rounded } from '../statistics/figures.ts';
import { DATASETS } from './attribution.ts';
import { RENT_PROPERTY_TYPES, type RentPropertyType } from './official-vocabulary.ts';

/**
 * The publisher has one column for mean rents and does not state the unit. It is a yearly rent for homes and a yearly
 * rent per square meter for commercial property.
 */
export type RentUnit = 'year' | 'year_per_sqm';

type RentBounds = Readonly<Record<RentUnit, { min: number; max: number }>>;

/**
 * SAR. The 19,954 published cells of homes from 2019 to 2024 are between 4,200 and 480,000. Monthly rents of 350 to
 * 2,999 are outside both ranges, so that a file with monthly rents is held for review.
 */
const HOME_BOUNDS: RentBounds = {
  year: { min: 3_000, max: 3_000_000 },
  year_per_sqm: { min: 20, max: 300 },
};

/** SAR. All published commercial cells but one (22,500) are between 2.5 and 3,673. */
const COMMERCIAL_BOUNDS: RentBounds = {
  year: { min: 5_000, max: 30_000_000 },
  year_per_sqm: { min: 1, max: 4_000 },
};

/** Share of a type's cells in a region and quarter whose means must be plausible for a unit to be accepted. */
const MIN_SHARE_OF_UNIT = 0.8;

export function isPlausibleRent(type: RentPropertyType, unit: RentUnit, mean: number): boolean {
  const bounds = PROPERTY_TYPE_TABLE[type].category === 'commercial' ? COMMERCIAL_BOUNDS : HOME_BOUNDS;
  return mean >= bounds[unit].min && mean <= bounds[unit].max;
}

/**
 * Determines the unit for one property type in one region and quarter; null if no unit fits. A release uses one
 * unit for all cells of a type, so an outlier does not change it.
 */
export function rentUnitOf(type: RentPropertyType, means: readonly number[]): RentUnit | null {
  const fits = (unit: RentUnit): boolean =>
    means.filter((mean) => isPlausibleRent(type, unit, mean)).length >= MIN_SHARE_OF_UNIT * means.length;
  return (['year', 'year_per_sqm'] as const).find(fits) ?? null;
}

/** Rents of one property type in one place and quarter. At least one mean is not null. */
export interface RentRow {
  quarter: number;
  neighborhood_id: number | null;
  neighborhood_ar: string | null;
  town_ar: string;
  property_type: RentPropertyType;
  property_type_ar: string;
  contract_count: number;
  mean_rent_sar: number | null;
  mean_rent_per_sqm_sar: number | null;
}

const PROPERTIES = {
  neighborhood_id: nullable(integer),
  neighborhood_name_ar: nullable(string),
  neighborhood_name_en: nullable(string),
  town_ar: string,
  property_type: oneOf(RENT_PROPERTY_TYPES),
  property_type_ar: string,
  contract_count: integer,
  mean_rent_sar: nullable(number),
  mean_rent_per_sqm_sar: nullable(number),
  source_url: string,
} as const;

export const RENT_CELL_SCHEMA: JsonSchema = object(PROPERTIES);

/** A cell for responses that do not state city and period elsewhere. */
export const PLACED_RENT_CELL_SCHEMA: JsonSchema = object({ city: string, period: string, ...PROPERTIES });

export function rentCell(row: RentRow, named: ReturnType<typeof neighborhoodNames>) {
  return {
    ...namesOf(row, named),
    town_ar: row.town_ar,
    property_type: row.property_type,
    property_type_ar: row.property_type_ar,
    contract_count: row.contract_count,
    mean_rent_sar: rounded(row.mean_rent_sar),
    mean_rent_per_sqm_sar: rounded(row.mean_rent_per_sqm_sar),
    source_url: DATASETS.regulator_rent_index.urls[0],
  };
}

/**
 * Returns the mean weighted over rows, or null unless every row states one, so that units are never mixed.
 * @param rows at least one
 */
export function meanOfRents(rows: readonly RentRow[], field: 'mean_rent_sar' | 'mean_rent_per_sqm_sar'): number | null {
  let total = 0;
  let contracts = 0;
  for (const row of rows) {
    const mean = row[field];
    if (mean === null) return null;
    total += mean * row.contract_count;
    contracts += row.contract_count;
  }
  return rounded(total / contracts);
}

function namesOf(row: RentRow, named: ReturnType<typeof neighborhoodNames>) {
  if (row.neighborhood_id === null)
    return { neighborhood_id: null, neighborhood_name_ar: row.neighborhood_ar, neighborhood_name_en: null };
  const { name_ar, name_en } = named(row.neighborhood_id);
  return { neighborhood_id: row.neighborhood_id, neighborhood_name_ar: name_ar, neighborhood_name_en: name_en };
}
