import type { JsonSchema } from './json-schema.ts';
import { boolean, integer, number, object } from './json-schema.ts';

/** What a deal is compared with: listings nearby of the same kind and about the same size. */
export interface Comparison {
  /** How many percent the deal is below the median: in price or in price per square meter, whichever is less. */
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

/** A listing is a deal from this gap on, in percent. */
export const MIN_GAP = 20;
/** A comparison needs so many comparables. */
export const MIN_SAMPLE = 10;
/** Comparables have between two thirds and one and a half times the area. */
export const MIN_AREA = 2 / 3;
export const MAX_AREA = 3 / 2;
/** Comparables have been updated within so many days. */
export const FRESH_DAYS = 30;

/** Comparables lie within so many meters, with as many bedrooms or whatever their bedrooms. */
export interface Circle {
  radius: number;
  sameBedrooms: boolean;
}

const WIDEST: Circle = { radius: 5_000, sameBedrooms: false };

/**
 * Searched in this order: the first circle that finds enough comparables is the comparison. Near listings with other
 * bedrooms come before listings with the same bedrooms farther than two kilometers away.
 */
export const CIRCLES: readonly Circle[] = [
  { radius: 500, sameBedrooms: true },
  { radius: 1_000, sameBedrooms: true },
  { radius: 2_000, sameBedrooms: true },
  { radius: 2_000, sameBedrooms: false },
  { radius: 5_000, sameBedrooms: true },
  WIDEST,
];

/** The radius of the widest circle. */
export const MAX_DISTANCE = WIDEST.radius;

/**
 * The circle of a comparison; the widest where none finds enough.
 * @param found how many each circle finds, in their order
 */
export const circleOf = (found: readonly number[]): Circle =>
  CIRCLES.find((_, index) => (found[index] ?? 0) >= MIN_SAMPLE) ?? WIDEST;

/** The areas that are compared with one. */
export const areaRange = (area: number): { min: number; max: number } => ({
  min: area * MIN_AREA,
  max: area * MAX_AREA,
});
