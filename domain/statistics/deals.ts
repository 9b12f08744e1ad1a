import type { Comparison } from '../listings/comparison.ts';
import { hundredths } from './figures.ts';
import { AREA_TOLERANCE_PCT, type BandSubject, bandOf, type Cohort, type Observation } from './price-band.ts';

/** Smallest gap of a deal, in percent. */
export const MIN_GAP = 20;
/** Gaps are rounded to hundredths. */
const ROUNDING = 0.01;
/** Largest gap of a deal, in percent. Lower prices count as mistakes or misleading. */
export const MAX_GAP = 45;
/** Percent below the lower end of the median's confidence interval, which is low if comparables are few or varied. */
export const MIN_SURE_GAP = 10;

export type Verdict = { kind: 'deal'; comparison: Comparison } | { kind: 'far_below' } | null;

/** Whether a cohort of these units can give a verdict, because both medians can be as far above the subject. */
export function mayJudge({ price, area }: BandSubject, units: readonly Observation[]): boolean {
  const above = 1 / (1 - (MIN_GAP - ROUNDING) / 100);
  let [prices, rates] = [0, 0];
  for (const unit of units) {
    if (unit.price >= price * above) prices++;
    if (unit.price / unit.area >= (price / area) * above) rates++;
  }
  return Math.min(prices, rates) >= Math.floor(units.length / 2);
}

/**
 * A deal is below both medians by `MIN_GAP`, below both lower quartiles, and below the median's interval by
 * `MIN_SURE_GAP`. A listing that states its age needs a cohort of its age class.
 */
export function judgePrice(subject: BandSubject, cohort: Cohort): Verdict {
  const { price, area, age } = subject;
  const { price: prices, price_per_sqm: rates, ages } = cohort;
  const priceGap = hundredths((1 - price / prices.median) * 100);
  const rateGap = hundredths((1 - price / area / rates.median) * 100);
  const gap = Math.min(priceGap, rateGap);
  if (gap < MIN_GAP || price >= prices.p25 || price / area >= rates.p25 || (age !== null && ages === null)) return null;
  if (price > bandOf(subject, cohort).interval.low * (1 - MIN_SURE_GAP / 100)) return null;
  if (priceGap > MAX_GAP) return { kind: 'far_below' };
  const tolerance = (area * AREA_TOLERANCE_PCT) / 100;
  return {
    kind: 'deal',
    comparison: {
      gap_pct: gap,
      diff_from_median_pct: -priceGap,
      price_per_sqm_diff_from_median_pct: -rateGap,
      median_price_sar: hundredths(prices.median),
      p25_price_sar: hundredths(prices.p25),
      p75_price_sar: hundredths(prices.p75),
      median_price_per_sqm_sar: hundredths(rates.median),
      sample_size: cohort.units.length,
      criteria: {
        max_distance_m: cohort.radius,
        area_range_sqm: { min: hundredths(area - tolerance), max: hundredths(area + tolerance) },
        same_bedrooms: true,
        age_years: ages,
      },
    },
  };
}

export const MIN_SAMPLE = 10;
/** Comparables have between 2/3 and 3/2 of the subject's area. */
const MIN_AREA = 2 / 3;
const MAX_AREA = 3 / 2;
/** Days since `updated_at` within which a listing can be a deal. */
export const FRESH_DAYS = 30;

/** A search area. The radius is in meters. */
export interface Circle {
  radius: number;
  sameBedrooms: boolean;
}

const WIDEST: Circle = { radius: 5_000, sameBedrooms: false };

/**
 * The first circle with enough comparables is used. Nearby listings with other bedroom counts precede those with the
 * same count farther than two kilometers.
 */
export const CIRCLES: readonly Circle[] = [
  { radius: 500, sameBedrooms: true },
  { radius: 1_000, sameBedrooms: true },
  { radius: 2_000, sameBedrooms: true },
  { radius: 2_000, sameBedrooms: false },
  { radius: 5_000, sameBedrooms: true },
  WIDEST,
];

export const MAX_DISTANCE = WIDEST.radius;

/**
 * Returns the first circle with enough comparables, or the widest if none has enough.
 * @param found comparables in each circle, in order
 */
export const circleOf = (found: readonly number[]): Circle =>
  CIRCLES.find((_, index) => (found[index] ?? 0) >= MIN_SAMPLE) ?? WIDEST;

export const areaRange = (area: number): { min: number; max: number } => ({
  min: area * MIN_AREA,
  max: area * MAX_AREA,
});
