/**
 * OpenSearch's percentiles give the value at one rank and do not interpolate. A quartile lies between two ranks, whose
 * values may be far apart in a small sample. So the request has the percents just beside 25, 50 and 75, which give the
 * nearer rank, and, for each size of sample, one a step further, which gives the other rank. The size is known from the
 * response: `quartilesOf` picks both ranks and interpolates.
 */
export const BESIDE = 0.0001;

/** A step of just over half a rank, in percent times the sample size: it reaches the next rank, a whole rank would pass it. */
const HALF_RANK = 51;
/** Sample sizes that have a step of their own. A step serves all sizes up to the next, which is just under twice as large. */
const STEP_SIZES = [
  2, 3, 5, 9, 16, 30, 58, 113, 220, 429, 836, 1_630, 3_178, 6_197, 12_084, 23_563, 45_947, 89_596,
] as const;
/** Above this size a t-digest merges values, and interpolates between them itself. */
const LARGEST_UNMERGED = 220;

/** How many percent beyond a quartile's nearer rank the other one is; undefined for a sample of one. */
export function stepOf(size: number): number | undefined {
  const from = STEP_SIZES.findLast((least) => size >= least);
  return from === undefined ? undefined : HALF_RANK / from;
}

/** For the median alone. */
export const MEDIAN_PERCENTS: readonly number[] = [50 - BESIDE, 50 + BESIDE];

function quartilePercents(largest: number): readonly number[] {
  const steps = STEP_SIZES.filter((size) => size <= largest).map((size) => HALF_RANK / size);
  const below = [25 - BESIDE, ...steps.map((step) => 25 + step)];
  const above = [75 + BESIDE, ...steps.map((step) => 75 - step)];
  return [...below, ...MEDIAN_PERCENTS, ...above].sort((a, b) => a - b);
}

/** For quartiles: of one cohort of any size, and, with fewer percents, of many cohorts by t-digest. */
export const QUARTILE_PERCENTS: readonly number[] = quartilePercents(Number.POSITIVE_INFINITY);
export const SHORT_QUARTILE_PERCENTS: readonly number[] = quartilePercents(LARGEST_UNMERGED);

/**
 * The quartiles at their rank: what lies just below and just above it, whose mean is the quartile. So few that
 * thousands of cohorts can be asked for side by side.
 */
export const RANK_PERCENTS: readonly number[] = [25, 50, 75].flatMap((percent) => [percent - BESIDE, percent + BESIDE]);
