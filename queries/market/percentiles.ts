import type { Clause } from '../clause.ts';

/**
 * The engine's digests answer a percent with the value at a rank, and do not interpolate between ranks. A quartile lies
 * between two ranks, which in a small sample may be percents apart. So what is asked for are the percents just beside
 * 25, 50 and 75, and a step further for samples of each size: once the size is known, both ranks are there.
 * `quartilesOf` puts them together.
 */
export const BESIDE = 0.0001;

/** Sizes of sample that have a step; each serves up to the next, the last up to 429. Above, neighbouring ranks are alike. */
const STEP_SIZES = [220, 113, 58, 30, 16, 9, 5, 3, 2] as const;
const LARGEST_STEPPED = 429;

/**
 * How far beyond a quartile's nearer rank the other one is, in percent. Half a rank is the least that reaches it in
 * every sample, a whole rank would be past it; undefined where no step is needed.
 */
export function stepOf(size: number): number | undefined {
  if (size > LARGEST_STEPPED) return undefined;
  const from = STEP_SIZES.find((least) => size >= least);
  return from === undefined ? undefined : 51 / from;
}

const STEPS = STEP_SIZES.map((size) => 51 / size);

/** The middle alone. */
export const MEDIAN_PERCENTS: readonly number[] = [50 - BESIDE, 50 + BESIDE];

/** The quartiles and the middle. */
export const QUARTILE_PERCENTS: readonly number[] = [
  25 - BESIDE,
  ...STEPS.map((step) => 25 + step),
  ...MEDIAN_PERCENTS,
  ...STEPS.map((step) => 75 - step),
  75 + BESIDE,
].sort((a, b) => a - b);

/** Of one cohort, however large: a histogram of three digits, right to a thousandth, and the fastest over many values. */
export const oneCohort = (field: string, percents: readonly number[] = QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, hdr: { number_of_significant_value_digits: 3 } },
});

/** Of many cohorts side by side: digests, small where samples are, while every histogram is large from the start. */
export const manyCohorts = (field: string, percents: readonly number[] = QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, tdigest: { compression: 500 } },
});
