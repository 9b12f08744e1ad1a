/**
 * The engine's digests answer a percent with the value at a rank, and do not interpolate between ranks. A quartile lies
 * between two ranks, which may be percents apart in a small sample, or where prices are round. So what is asked for are
 * the percents just beside 25, 50 and 75, and a step further for samples of each size: once the size is known, both
 * ranks are there. `quartilesOf` puts them together.
 */
export const BESIDE = 0.0001;

/** Half a rank is the least that reaches the next one in every sample, a whole rank would be past it. */
const HALF_RANK = 51;
/** Sizes of sample that have a step, each a little less than twice the one before: a step serves up to the next. */
const STEP_SIZES = [
  2, 3, 5, 9, 16, 30, 58, 113, 220, 429, 836, 1_630, 3_178, 6_197, 12_084, 23_563, 45_947, 89_596,
] as const;
/** A digest of more keeps values together, and interpolates by itself. */
const LARGEST_KEPT = 220;

/** How far beyond a quartile's nearer rank the other one is, in percent; undefined where there is no other. */
export function stepOf(size: number): number | undefined {
  const from = STEP_SIZES.findLast((least) => size >= least);
  return from === undefined ? undefined : HALF_RANK / from;
}

/** The middle alone. */
export const MEDIAN_PERCENTS: readonly number[] = [50 - BESIDE, 50 + BESIDE];

function quartilePercents(largest: number): readonly number[] {
  const steps = STEP_SIZES.filter((size) => size <= largest).map((size) => HALF_RANK / size);
  const below = [25 - BESIDE, ...steps.map((step) => 25 + step)];
  const above = [75 + BESIDE, ...steps.map((step) => 75 - step)];
  return [...below, ...MEDIAN_PERCENTS, ...above].sort((a, b) => a - b);
}

/** The quartiles and the middle, of a cohort of any size and of one among many. */
export const QUARTILE_PERCENTS: readonly number[] = quartilePercents(Number.POSITIVE_INFINITY);
export const SHORT_QUARTILE_PERCENTS: readonly number[] = quartilePercents(LARGEST_KEPT);

/**
 * The quartiles at their rank: what lies just below and just above it, whose mean is the quartile. So few that
 * thousands of cohorts can be asked for side by side.
 */
export const RANK_PERCENTS: readonly number[] = [25, 50, 75].flatMap((percent) => [percent - BESIDE, percent + BESIDE]);
