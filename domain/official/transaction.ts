import { integer, type MutableValueOf, nullable, number, object, oneOf, string, type ValueOf } from '../json-schema.ts';
import { hundredths } from '../statistics/figures.ts';
import { LAND_USE_CLASSES, type LandUseClass } from './official-vocabulary.ts';
import { parseMonth, quarterLabel, quarterOfMonth } from './quarters.ts';

export const TRANSACTION_SCHEMA = object({
  id: string,
  registration_month: string,
  source_quarter: string,
  city: string,
  neighborhood_id: nullable(integer),
  neighborhood_name_ar: nullable(string),
  neighborhood_name_en: nullable(string),
  ministry_city_ar: nullable(string),
  ministry_district_ar: nullable(string),
  land_use_class: oneOf(LAND_USE_CLASSES),
  area_sqm: number,
  price_sar: number,
  price_per_sqm_sar: number,
  property_count: nullable(integer),
});

export type TransactionDisplay = ValueOf<typeof TRANSACTION_SCHEMA>;

export type Transaction = Omit<MutableValueOf<typeof TRANSACTION_SCHEMA>, Derived | 'city'> & {
  /** A 52-bit number from which the public id is derived. It is unique, and the same at every import. */
  key: number;
  /** Null for a city that is not covered. */
  city: string | null;
  /** `YYYY-MM-DD`. Responses state only the month. */
  day: string;
  /** Quarter of the published file, numbered as by `parseQuarter`. */
  quarter: number;
};
type Derived = 'id' | 'registration_month' | 'source_quarter' | 'price_per_sqm_sar';

export const KEY_BITS = 52;

const transactionId = (key: number): string => `txn_${key.toString(16).padStart(KEY_BITS / 4, '0')}`;

export const pricePerSqm = (price: number, area: number): number => hundredths(price / area);

function displayOf(deal: Transaction & { city: string }): TransactionDisplay {
  return {
    id: transactionId(deal.key),
    registration_month: deal.day.slice(0, 7),
    source_quarter: quarterLabel(deal.quarter),
    city: deal.city,
    neighborhood_id: deal.neighborhood_id,
    neighborhood_name_ar: deal.neighborhood_name_ar,
    neighborhood_name_en: deal.neighborhood_name_en,
    ministry_city_ar: deal.ministry_city_ar,
    ministry_district_ar: deal.ministry_district_ar,
    land_use_class: deal.land_use_class,
    area_sqm: deal.area_sqm,
    price_sar: deal.price_sar,
    price_per_sqm_sar: pricePerSqm(deal.price_sar, deal.area_sqm),
    property_count: deal.property_count,
  };
}

/**
 * Builds the document without the day, which is never served.
 * @param load by which the alias includes or excludes the document
 */
export function transactionDocument(deal: Transaction & { city: string }, load: number) {
  const month = parseMonth(deal.day);
  return {
    display: displayOf(deal),
    filter: {
      load,
      order: deal.key,
      city: deal.city,
      neighborhood_id: deal.neighborhood_id,
      land_use_class: deal.land_use_class,
      month,
      // The quarter of registration, because cells cover calendar quarters.
      quarter: quarterOfMonth(month),
      price: deal.price_sar,
      area: deal.area_sqm,
      price_per_sqm: pricePerSqm(deal.price_sar, deal.area_sqm),
    },
    stats: { cell: cellOf(deal.neighborhood_id, quarterOfMonth(month), deal.land_use_class) },
  };
}

/** A cell is one neighborhood, quarter and land-use class, encoded in one number. */
const CLASS_UNIT = 8;
const QUARTER_UNIT = 16_384;
/** The remainder of a cell number by this value is the quarter and the class. */
export const CELL_UNIT = CLASS_UNIT * QUARTER_UNIT;

/** @param neighborhood null for deals without one, or for all neighborhoods */
export const cellOf = (neighborhood: number | null, quarter: number, land: LandUseClass): number =>
  ((neighborhood ?? 0) * QUARTER_UNIT + quarter) * CLASS_UNIT + LAND_USE_CLASSES.indexOf(land);

export type Cell = ReturnType<typeof parseCell>;

export function parseCell(cell: number) {
  const neighborhood = Math.floor(cell / CELL_UNIT);
  return {
    neighborhood_id: neighborhood === 0 ? null : neighborhood,
    quarter: Math.floor(cell / CLASS_UNIT) % QUARTER_UNIT,
    land_use_class: LAND_USE_CLASSES[cell % CLASS_UNIT] as LandUseClass,
  };
}
