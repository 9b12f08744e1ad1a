import type { JsonSchema } from './json-schema.ts';
import { boolean, integer, number, object } from './json-schema.ts';

/** What a deal is held against: what is on offer nearby, of its kind and about its size. */
export interface Comparison {
  /** How far below the median it lies, percent: in price or per square meter, whichever is less. */
  gap_pct: number;
  diff_from_median_pct: number;
  price_per_sqm_diff_from_median_pct: number;
  median_price_sar: number;
  p25_price_sar: number;
  p75_price_sar: number;
  median_price_per_sqm_sar: number;
  sample_size: number;
  criteria: { max_distance_m: number; area_range_sqm: { min: number; max: number }; same_bedrooms: boolean };
}

export const COMPARISON_SCHEMA: JsonSchema = object({
  gap_pct: number,
  diff_from_median_pct: number,
  price_per_sqm_diff_from_median_pct: number,
  median_price_sar: number,
  p25_price_sar: number,
  p75_price_sar: number,
  median_price_per_sqm_sar: number,
  sample_size: integer,
  criteria: object({
    max_distance_m: integer,
    area_range_sqm: object({ min: number, max: number }),
    same_bedrooms: boolean,
  }),
});

/** A listing is a deal from this gap on, percent. */
export const MIN_GAP = 20;
/** Comparables that a comparison needs. */
export const MIN_SAMPLE = 10;
/** Comparables are no smaller than two thirds, and no larger than one and a half times. */
export const MIN_AREA = 2 / 3;
export const MAX_AREA = 3 / 2;
/** Comparables were updated within so many days. */
export const FRESH_DAYS = 30;

/**
 * How far is looked, and whether for the same number of bedrooms: the first that finds enough is the comparison. What
 * is near says more than what has the same rooms, from two kilometers on.
 */
export const CIRCLES: readonly { radius: number; sameBedrooms: boolean }[] = [
  { radius: 500, sameBedrooms: true },
  { radius: 1_000, sameBedrooms: true },
  { radius: 2_000, sameBedrooms: true },
  { radius: 2_000, sameBedrooms: false },
  { radius: 5_000, sameBedrooms: true },
  { radius: 5_000, sameBedrooms: false },
];
