import { quantile } from './quantiles.ts';

/** An estimate and the price that it is compared with. */
export interface Ratio {
  estimate: number;
  price: number;
}

/**
 * Measures of the Standard on Ratio Studies of the International Association of Assessing Officers (IAAO), 2013. Null if
 * the sample is too small or all values are equal.
 */
export interface RatioStudy {
  medianRatio: number | null;
  /** Coefficient of dispersion: mean deviation of the ratios from their median, in percent of the median. */
  cod: number | null;
  /** Price-related differential: above 1 if expensive homes are estimated too low. */
  prd: number | null;
  /** Price-related bias: relative change of the ratio when the value doubles. */
  prb: number | null;
}

export function studyRatios(sample: readonly Ratio[]): RatioStudy {
  if (sample.length === 0) return { medianRatio: null, cod: null, prd: null, prb: null };
  const ratios = sample.map(({ estimate, price }) => estimate / price);
  const median = quantile(Float64Array.from(ratios).sort(), 0.5);
  const total = (of: (each: Ratio) => number): number => sum(sample.map(of));
  const weighted = total(({ estimate }) => estimate) / total(({ price }) => price);
  // The value is the mean of the price and of the estimate at the level of the prices, so that errors of one side do not
  // look like bias.
  const values = sample.map(({ estimate, price }) => Math.log2((price + estimate / median) / 2));
  return {
    medianRatio: median,
    cod: (100 * mean(ratios.map((ratio) => Math.abs(ratio - median)))) / median,
    prd: mean(ratios) / weighted,
    prb: slope(
      values,
      ratios.map((ratio) => (ratio - median) / median),
    ),
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

/** Least squares. Null if all `x` are equal. */
function slope(x: readonly number[], y: readonly number[]): number | null {
  const [centerX, centerY] = [mean(x), mean(y)];
  const spread = sum(x.map((value) => (value - centerX) ** 2));
  if (spread < 1e-12) return null;
  return sum(x.map((value, index) => (value - centerX) * ((y[index] as number) - centerY))) / spread;
}
