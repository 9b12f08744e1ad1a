import type { neighborhoodNames } from '../geography/neighborhood-names.ts';
import { integer, type JsonSchema, nullable, number, object, oneOf, string } from '../json-schema.ts';
import { rounded } from '../statistics/figures.ts';
import { DATASETS } from './attribution.ts';
import { RENT_PROPERTY_TYPES, type RentPropertyType } from './vocabulary.ts';

/** Contracts of one property type in one place and quarter, as the record holds them. */
export interface RentRow {
  quarter: number;
  neighborhood_id: number | null;
  neighborhood_ar: string | null;
  town_ar: string;
  property_type: RentPropertyType;
  property_type_ar: string;
  contract_count: number;
  mean_rent_sar: number;
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
  mean_rent_sar: number,
  mean_rent_per_sqm_sar: nullable(number),
  source_url: string,
} as const;

/** A cell, as it is served. */
export const RENT_CELL_SCHEMA: JsonSchema = object(PROPERTIES);

/** A cell that stands without the answer that names its city and period. */
export const PLACED_RENT_CELL_SCHEMA: JsonSchema = object({ city: string, period: string, ...PROPERTIES });

/** @param named names of the neighborhoods of the cell's city */
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

function namesOf(row: RentRow, named: ReturnType<typeof neighborhoodNames>) {
  if (row.neighborhood_id === null)
    return { neighborhood_id: null, neighborhood_name_ar: row.neighborhood_ar, neighborhood_name_en: null };
  const { name_ar, name_en } = named(row.neighborhood_id);
  return { neighborhood_id: row.neighborhood_id, neighborhood_name_ar: name_ar, neighborhood_name_en: name_en };
}
