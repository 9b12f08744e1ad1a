import { integer, type JsonSchema, nullable, number, object, oneOf, string } from '../json-schema.ts';
import { quarterLabel, quarterOfMonth } from './quarters.ts';
import { LAND_USE_CLASSES, type LandUseClass } from './vocabulary.ts';

/** A registered deal, as the record holds it. */
export interface Transaction {
  /** 52 bits; the public id is made of it. Unique, and the same whenever the deal is read again. */
  key: number;
  /** The slug of a city of the service; null elsewhere. */
  city: string | null;
  neighborhood_id: number | null;
  neighborhood_name_ar: string | null;
  neighborhood_name_en: string | null;
  ministry_city_ar: string | null;
  ministry_district_ar: string | null;
  land_use_class: LandUseClass;
  /** `YYYY-MM-DD`. Served to the month. */
  day: string;
  /** Of the file that it was published in, counted as `parseQuarter` does. */
  quarter: number;
  price_sar: number;
  area_sqm: number;
  property_count: number | null;
}

/** A registered deal in responses. */
export interface TransactionDisplay {
  id: string;
  registration_month: string;
  source_quarter: string;
  city: string;
  neighborhood_id: number | null;
  neighborhood_name_ar: string | null;
  neighborhood_name_en: string | null;
  ministry_city_ar: string | null;
  ministry_district_ar: string | null;
  land_use_class: LandUseClass;
  area_sqm: number;
  price_sar: number;
  price_per_sqm_sar: number;
  property_count: number | null;
}

export const TRANSACTION_SCHEMA: JsonSchema = object({
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

/** Bits of a key. */
export const KEY_BITS = 52;

export const transactionId = (key: number): string => `txn_${key.toString(16).padStart(KEY_BITS / 4, '0')}`;

/** To the hundredth, as prices a square meter are served, filtered and measured. */
export const pricePerSqm = (price: number, area: number): number => Math.round((price / area) * 100) / 100;

/** Months of `YYYY-MM-DD`, counted as `monthOf` does. */
const monthOfDay = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

export function displayOf(deal: Transaction & { city: string }): TransactionDisplay {
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
 * Builds the document of a deal. It omits the day, which is never served.
 * @param load the load of the deal, by which the alias includes or excludes it
 */
export function transactionDocument(deal: Transaction & { city: string }, load: number) {
  const month = monthOfDay(deal.day);
  return {
    display: displayOf(deal),
    filter: {
      load,
      order: deal.key,
      city: deal.city,
      neighborhood_id: deal.neighborhood_id,
      land_use_class: deal.land_use_class,
      month,
      // Of its registration: cells are of calendar quarters.
      quarter: quarterOfMonth(month),
      price: deal.price_sar,
      area: deal.area_sqm,
      price_per_sqm: pricePerSqm(deal.price_sar, deal.area_sqm),
    },
    stats: { cell: cellOf(deal.neighborhood_id, quarterOfMonth(month), deal.land_use_class) },
  };
}

/** Statistics are of cells: a neighborhood, a quarter and a land-use class, as one number. */
const CLASS_UNIT = 8;
const QUARTER_UNIT = 16_384;
/** The number of a cell modulo this is that of its quarter and class. */
export const CELL_UNIT = CLASS_UNIT * QUARTER_UNIT;

/** @param neighborhood null: none, or all */
export const cellOf = (neighborhood: number | null, quarter: number, land: LandUseClass): number =>
  ((neighborhood ?? 0) * QUARTER_UNIT + quarter) * CLASS_UNIT + LAND_USE_CLASSES.indexOf(land);

export interface Cell {
  neighborhood_id: number | null;
  quarter: number;
  land_use_class: LandUseClass;
}

export function parseCell(cell: number): Cell {
  const neighborhood = Math.floor(cell / CELL_UNIT);
  return {
    neighborhood_id: neighborhood === 0 ? null : neighborhood,
    quarter: Math.floor(cell / CLASS_UNIT) % QUARTER_UNIT,
    land_use_class: LAND_USE_CLASSES[cell % CLASS_UNIT] as LandUseClass,
  };
}
