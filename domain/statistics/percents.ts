/**
 * OpenSearch returns the value at one rank without interpolation, but a quantile lies between two, whose values may
 * differ widely in a small sample. The request therefore has the percents next to the wanted one, which return the
 * nearer rank, and further ones towards the median, one of which returns the other rank for any sample size.
 */
export const ADJACENT_PERCENT = 0.0001;

/** Slightly more than half a rank, as percent times sample size. */
const HALF_RANK = 51;
/**
 * Each step is at most twice the previous one. The sizes whose steps reach the next rank without passing it span a
 * factor of more than two, so at least one of these fits, up to 175,000 values.
 */
const STEP_SIZES = [
  1, 2, 3, 5, 9, 16, 30, 58, 113, 220, 429, 836, 1_630, 3_178, 6_197, 12_084, 23_563, 45_947, 89_596,
] as const;
/** Above this sample size, a t-digest merges values and interpolates itself. */
const LARGEST_UNMERGED = 220;

const STEPS = STEP_SIZES.map((size) => HALF_RANK / size);

/**
 * Returns the distances, in percent, at which the second of the two ranks is found.
 * @param percent an integer that divides 100, or 100 minus a divisor of 100
 */
export function stepsOf(percent: number, size: number): readonly number[] {
  if (size < 2) return [];
  // How far the percentile lies beyond the previous rank, in ranks; 0 if it is exactly a rank.
  const passed = ((size * outward(percent)) % 100) / 100;
  const [least, most] = passed === 0 ? [0, 1] : [1 - passed, 2 - passed];
  return STEPS.filter((step) => step * size > least * 100 && step * size < most * 100);
}

export const outward = (percent: number): number => Math.min(percent, 100 - percent);

export const inwards = (percent: number): 1 | -1 => (percent < 50 ? 1 : -1);

function percentsAt(percent: number, smallest: number, largest: number = Number.POSITIVE_INFINITY): readonly number[] {
  const steps = STEPS.filter((step) => step <= HALF_RANK / smallest && step >= HALF_RANK / largest);
  return [-ADJACENT_PERCENT, ...steps].map((step) => percent + inwards(percent) * step);
}

export const MEDIAN_PERCENTS: readonly number[] = [50 - ADJACENT_PERCENT, 50 + ADJACENT_PERCENT];

const ascending = (...percents: readonly (readonly number[])[]): readonly number[] =>
  percents.flat().sort((a, b) => a - b);

/**
 * In a sample of two, the second rank begins at 50%: 25 from a quartile, which the step for size 2 reaches, but at
 * least 40 from a tail.
 */
const quartilePercents = (largest?: number): readonly number[] =>
  ascending(percentsAt(25, 2, largest), MEDIAN_PERCENTS, percentsAt(75, 2, largest));

/** The percents of quartiles for one cohort of any size. The shorter list is for many cohorts with t-digests. */
export const QUARTILE_PERCENTS: readonly number[] = quartilePercents();
export const SHORT_QUARTILE_PERCENTS: readonly number[] = quartilePercents(LARGEST_UNMERGED);

export const TAILS = [5, 10, 90, 95] as const;
export type Tail = (typeof TAILS)[number];

export const DISTRIBUTION_PERCENTS: readonly number[] = ascending(
  QUARTILE_PERCENTS,
  ...TAILS.map((percent) => percentsAt(percent, 1)),
);
