/**
 * OpenSearch's percentiles return the value at one rank without interpolation. A quantile lies between two ranks, whose
 * values may differ widely in a small sample. The request therefore contains the percents next to the wanted one, which
 * return the nearer rank, and others further inwards, one of which returns the other rank for any sample size. The response
 * contains the size: `percentileOf` selects both ranks and interpolates.
 */
export const ADJACENT_PERCENT = 0.0001;

/** Steps are just over half a rank, in percent times a sample size. */
const HALF_RANK = 51;
/**
 * Sample sizes for which steps are computed. Each is less than twice the previous one: the steps that reach the next rank
 * without passing it span at least one number and its double, so that one of these is always among them.
 */
const STEP_SIZES = [
  1, 2, 3, 5, 9, 16, 30, 58, 113, 220, 429, 836, 1_630, 3_178, 6_197, 12_084, 23_563, 45_947, 89_596,
] as const;
/** Above this size a t-digest merges values and interpolates between them itself. */
const LARGEST_UNMERGED = 220;

const STEPS = STEP_SIZES.map((size) => HALF_RANK / size);

/**
 * Returns the distances in percent at which the other of the two ranks of a percentile is found.
 * @param percent an integer that divides 100, or 100 minus a divisor of 100
 */
export function stepsOf(percent: number, size: number): readonly number[] {
  if (size < 2) return [];
  // Ranks beyond the nearer one. The percent itself may have passed part of one.
  const passed = ((size * outward(percent)) % 100) / 100;
  const [least, most] = passed === 0 ? [0, 1] : [1 - passed, 2 - passed];
  return STEPS.filter((step) => step * size > least * 100 && step * size < most * 100);
}

/** Returns the distance of a percent to the nearer end. */
export const outward = (percent: number): number => Math.min(percent, 100 - percent);

/** Direction towards the median. */
export const inwards = (percent: number): 1 | -1 => (percent < 50 ? 1 : -1);

/** Returns the percents to request for a percentile, in samples of these sizes. */
function percentsAt(percent: number, smallest: number, largest: number = Number.POSITIVE_INFINITY): readonly number[] {
  const steps = STEPS.filter((step) => step <= HALF_RANK / smallest && step >= HALF_RANK / largest);
  return [-ADJACENT_PERCENT, ...steps].map((step) => percent + inwards(percent) * step);
}

/** Percents for the median alone. */
export const MEDIAN_PERCENTS: readonly number[] = [50 - ADJACENT_PERCENT, 50 + ADJACENT_PERCENT];

const ascending = (...percents: readonly (readonly number[])[]): readonly number[] =>
  percents.flat().sort((a, b) => a - b);

/** In a sample of two, the other rank of a quartile is at a quarter of the range; that of a tail is further. */
const quartilePercents = (largest?: number): readonly number[] =>
  ascending(percentsAt(25, 2, largest), MEDIAN_PERCENTS, percentsAt(75, 2, largest));

/** Percents for quartiles: of one cohort of any size, and, with fewer percents, of many cohorts by t-digest. */
export const QUARTILE_PERCENTS: readonly number[] = quartilePercents();
export const SHORT_QUARTILE_PERCENTS: readonly number[] = quartilePercents(LARGEST_UNMERGED);

/** Percentiles of a distribution in addition to its quartiles. */
export const TAILS = [5, 10, 90, 95] as const;
export type Tail = (typeof TAILS)[number];

/** Percents for quartiles and tails of one cohort. */
export const DISTRIBUTION_PERCENTS: readonly number[] = ascending(
  QUARTILE_PERCENTS,
  ...TAILS.map((percent) => percentsAt(percent, 1)),
);
