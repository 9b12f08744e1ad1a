import { type Interval, studentQuantile } from './bootstrap.ts';
import { isSmall } from './figures.ts';
import { quantile } from './quantiles.ts';

export interface Ratio {
  estimate: number;
  price: number;
}

const Z = 1.959964;

/**
 * Returns measures of the Standard on Ratio Studies of the International Association of Assessing Officers (IAAO), 2013.
 * Null if the sample is too small or all values are equal.
 */
export function studyRatios(sample: readonly Ratio[]) {
  const size = sample.length;
  if (size === 0) return { medianRatio: null, cod: null, prd: null, prb: null, intervals: null };
  const ratios = Float64Array.from(sample, ({ estimate, price }) => estimate / price);
  const ascending = ratios.toSorted();
  const median = quantile(ascending, 0.5);
  const deviations = ratios.map((ratio) => Math.abs(ratio - median));
  // Coefficient of dispersion: mean deviation of the ratios from their median, in percent of the median.
  const cod = (100 * mean(deviations)) / median;
  const meanRatio = mean(ratios);
  const meanEstimate = mean(Float64Array.from(sample, ({ estimate }) => estimate));
  const meanPrice = mean(Float64Array.from(sample, ({ price }) => price));
  // Price-related differential: above 1 if expensive homes are estimated too low.
  const prd = (meanRatio * meanPrice) / meanEstimate;
  // The mean of price and estimate at the level of prices, so that errors of one side do not look like bias.
  const values = Float64Array.from(sample, ({ estimate, price }) => Math.log2((price + estimate / median) / 2));
  const line = leastSquares(
    values,
    ratios.map((ratio) => (ratio - median) / median),
  );
  // Price-related bias: relative change of the ratio when the value doubles.
  const prb = line?.slope ?? null;
  if (isSmall(size)) return { medianRatio: median, cod, prd, prb, intervals: null };

  const cut = Math.floor((size + 1) / 2 - (Z * Math.sqrt(size)) / 2);
  const around: Interval = { low: ascending[cut - 1] as number, high: ascending[size - cut] as number };
  const medianError = (around.high - around.low) / (2 * Z);
  // Influence of each estimate on the measure (delta method).
  const onCod = ratios.map((ratio, index) => {
    const onMedian = Math.sign(ratio - median) * medianError * Math.sqrt(size);
    return (100 * (deviations[index] as number) - cod * (median + onMedian)) / median;
  });
  const onPrd = Float64Array.from(
    sample,
    ({ estimate, price }) => prd * (estimate / price / meanRatio + price / meanPrice - estimate / meanEstimate - 1),
  );
  const errorOf = (influences: Float64Array): number =>
    Math.sqrt(mean(influences.map((each) => each ** 2)) / (size - 1));
  const within = (value: number, error: number, degrees: number): Interval => {
    const reach = studentQuantile(degrees) * error;
    return { low: value - reach, high: value + reach };
  };
  // 95% confidence intervals, as documented in `docs/estimate.md`.
  const intervals = {
    medianRatio: around,
    cod: within(cod, errorOf(onCod), size - 1),
    prd: within(prd, errorOf(onPrd), size - 1),
    prb: line && within(line.slope, line.error, size - 2),
  };
  return { medianRatio: median, cod, prd, prb, intervals };
}

const sum = (values: Float64Array): number => values.reduce((all, each) => all + each, 0);
const mean = (values: Float64Array): number => sum(values) / values.length;

/** Returns the slope and its standard error. Null if all `x` are equal. */
function leastSquares(x: Float64Array, y: Float64Array): { slope: number; error: number } | null {
  const [centerX, centerY] = [mean(x), mean(y)];
  const spread = sum(x.map((value) => (value - centerX) ** 2));
  if (spread < 1e-12) return null;
  const slope = sum(x.map((value, index) => (value - centerX) * ((y[index] as number) - centerY))) / spread;
  const residuals = x.map((value, index) => (y[index] as number) - centerY - slope * (value - centerX));
  return { slope, error: Math.sqrt(sum(residuals.map((each) => each ** 2)) / (x.length - 2) / spread) };
}

/** With the upper ends of its intervals divided by the estimate. */
export interface ScoredRatio extends Ratio {
  reach_80: number;
  reach_50: number;
}

/** Returns shares of the sample, and errors as shares of the price. */
export function scoreEstimates(sample: readonly ScoredRatio[]) {
  const errors = Float64Array.from(sample, ({ estimate, price }) => Math.abs(estimate / price - 1)).sort();
  const share = (test: (each: ScoredRatio) => boolean): number => sample.filter(test).length / sample.length;
  const covers = ({ estimate, price }: ScoredRatio, reach: number): boolean =>
    price <= estimate * reach && price >= estimate / reach;
  return {
    medianError: quantile(errors, 0.5),
    within10: errors.filter((error) => error <= 0.1).length / errors.length,
    within20: errors.filter((error) => error <= 0.2).length / errors.length,
    coverage80: share((each) => covers(each, each.reach_80)),
    coverage50: share((each) => covers(each, each.reach_50)),
    ...studyRatios(sample),
  };
}
