import { effectiveClusters, type Interval } from './bootstrap.ts';
import { MEDIAN_PERCENTS } from './percents.ts';
import { medianOf, type PercentilesResult, weightedQuantile } from './quantiles.ts';

/** A typical price with the standard error of its natural logarithm. */
export interface Level {
  value: number;
  error: number;
}

/** Percent from the median, each at most twice the previous one. */
const GAPS = [1, 2, 4, 8, 16, 25, 35] as const;
const LARGEST_GAP = 35;

export const LEVEL_PERCENTS: readonly number[] = [
  ...MEDIAN_PERCENTS,
  ...GAPS.flatMap((gap) => [50 - gap, 50 + gap]),
].sort((a, b) => a - b);

/**
 * Returns the median and its standard error, from the two values about one square root of the sample size in ranks
 * below and above it (Bonett and Price, "Statistical inference for a linear function of medians", Psychological Methods
 * 7, 2002). This assumes no distribution.
 * @param size number of values
 */
export function medianLevel(result: PercentilesResult, size: number): Level {
  const at = (percent: number): number => result.values.find(({ key }) => key === percent)?.value ?? Number.NaN;
  return { value: medianOf(result) ?? Number.NaN, error: errorOf(at, size) };
}

/** A mean of prices that were published with their lowest and highest. */
export interface PublishedMean {
  mean: number;
  low: number;
  high: number;
  count: number;
}

/** Returns the median of means, each counted as often as it has prices. The means are the sample. */
export function levelOfMeans(means: readonly PublishedMean[]): Level {
  const sorted = [...means].sort((a, b) => a.mean - b.mean);
  const values = sorted.map(({ mean }) => mean);
  const weights = sorted.map(({ count }) => count);
  const at = (percent: number): number => weightedQuantile(values, weights, percent / 100);
  return { value: at(50), error: errorOf(at, effectiveClusters(weights)) };
}

/**
 * Returns a mean and the upper bound of its standard error: no standard deviation exceeds half of the range (Popoviciu).
 */
export const levelOfMean = ({ mean, low, high, count }: PublishedMean): Level => ({
  value: mean,
  error: Math.log(high / low) / 2 / Math.sqrt(count),
});

/** The interval is that of 95%, for independent samples, from normally distributed logarithms. */
export function ratioOf(one: Level, other: Level): { ratio: number; interval: Interval } {
  const ratio = one.value / other.value;
  const factor = Math.exp(1.959964 * Math.hypot(one.error, other.error));
  return { ratio, interval: { low: ratio / factor, high: ratio * factor } };
}

function errorOf(at: (percent: number) => number, size: number): number {
  const gap = GAPS.find((each) => each >= 100 / Math.sqrt(size)) ?? LARGEST_GAP;
  const rank = (percent: number): number => Math.max(Math.ceil((percent / 100) * size), 1);
  // The standard deviation of the rank of the median is half the square root of the size.
  const deviations = (rank(50 + gap) - rank(50 - gap)) / Math.sqrt(size);
  return Math.log(at(50 + gap) / at(50 - gap)) / (2 * deviations);
}
