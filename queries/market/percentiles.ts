import type { Clause } from '../clause.ts';

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
const SHORT_QUARTILE_PERCENTS: readonly number[] = quartilePercents(LARGEST_KEPT);

/** Of one cohort, however large: a histogram of three digits, right to a thousandth, and the fastest over many values. */
export const oneCohort = (field: string, percents: readonly number[] = QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, hdr: { number_of_significant_value_digits: 3 } },
});

/**
 * Of many cohorts side by side: digests, small where samples are, while every histogram is large from the start. So
 * fine that the values of a sample of some hundreds stay apart, which is what makes it right to the rank; prices, whose
 * quartiles are held to a hundredth, have twice the fineness. It costs the engine's heap a quarter of a kilobyte for each
 * unit, so the index is gone over by one thread for it (`max_slice_count` in its template): each more has digests of its own.
 */
export const manyCohorts = (field: string, percents: readonly number[] = SHORT_QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, tdigest: { compression: field === 'filter.price' ? 1_000 : 500 } },
});
