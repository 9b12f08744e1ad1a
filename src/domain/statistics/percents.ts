/**
 * OpenSearch's percentiles return the value at one rank and do not interpolate. A quantile lies between two ranks, whose values
 * may be far apart in a small sample. So the request has the percents next to the wanted one, which return the nearer rank, and
 * some that lie a step further inwards, one of which returns the other rank for any sample size. The size is known from the
 * response: `percentileOf` picks both ranks and interpolates.
 */
export const BESIDE = 0.0001;

/** Steps are just over half a rank, in percent times a sample size. */
const HALF_RANK = 51;
/**
 * Sizes that steps are made for. Each is less than twice the one before: the steps that reach the next rank and do not
 * pass it lie between one number and its double at least, so that one of these is always among them.
 */
const STEP_SIZES = [
  1, 2, 3, 5, 9, 16, 30, 58, 113, 220, 429, 836, 1_630, 3_178, 6_197, 12_084, 23_563, 45_947, 89_596,
] as const;
/** Above this size a t-digest merges values, and interpolates between them itself. */
const LARGEST_UNMERGED = 220;

const STEPS = STEP_SIZES.map((size) => HALF_RANK / size);

/**
 * Returns the distances in percent at which the other of a percentile's two ranks is found: any of these.
 * @param percent a whole number that divides 100, or 100 minus a divisor of 100
 */
export function stepsOf(percent: number, size: number): readonly number[] {
  if (size < 2) return [];
  // Ranks beyond the nearer one, which the percent itself may have passed by a part.
  const passed = ((size * outward(percent)) % 100) / 100;
  const [least, most] = passed === 0 ? [0, 1] : [1 - passed, 2 - passed];
  return STEPS.filter((step) => step * size > least * 100 && step * size < most * 100);
}

/** How far a percent is from the nearer end. */
export const outward = (percent: number): number => Math.min(percent, 100 - percent);

/** Towards the median. */
export const inwards = (percent: number): 1 | -1 => (percent < 50 ? 1 : -1);

/** The percents to request for a percentile, in samples of these sizes. */
function percentsAt(percent: number, smallest: number, largest: number = Number.POSITIVE_INFINITY): readonly number[] {
  const steps = STEPS.filter((step) => step <= HALF_RANK / smallest && step >= HALF_RANK / largest);
  return [-BESIDE, ...steps].map((step) => percent + inwards(percent) * step);
}

/** For the median alone. */
export const MEDIAN_PERCENTS: readonly number[] = [50 - BESIDE, 50 + BESIDE];

const ascending = (...percents: readonly (readonly number[])[]): readonly number[] =>
  percents.flat().sort((a, b) => a - b);

/** In a sample of two, the other rank of a quartile is a quarter of the way; that of a tail is further. */
const quartilePercents = (largest?: number): readonly number[] =>
  ascending(percentsAt(25, 2, largest), MEDIAN_PERCENTS, percentsAt(75, 2, largest));

/** For quartiles: of one cohort of any size, and, with fewer percents, of many cohorts by t-digest. */
export const QUARTILE_PERCENTS: readonly number[] = quartilePercents();
export const SHORT_QUARTILE_PERCENTS: readonly number[] = quartilePercents(LARGEST_UNMERGED);

/** The percentiles of a distribution besides its quartiles. */
export const TAILS = [5, 10, 90, 95] as const;
export type Tail = (typeof TAILS)[number];

/** For quartiles and tails of one cohort. */
export const DISTRIBUTION_PERCENTS: readonly number[] = ascending(
  QUARTILE_PERCENTS,
  ...TAILS.map((percent) => percentsAt(percent, 1)),
);
