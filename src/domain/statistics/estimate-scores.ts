import { quantile } from './quantiles.ts';
import { type Ratio, type RatioStudy, studyRatios } from './ratio-study.ts';

/** An estimate, the price that it is compared with, and the upper ends of its intervals divided by the estimate. */
export interface Scored extends Ratio {
  reach_80: number;
  reach_50: number;
}

/** Shares of the sample, and errors as shares of the price. */
interface Scores extends RatioStudy {
  medianError: number;
  within10: number;
  within20: number;
  coverage80: number;
  coverage50: number;
}

/** Compares estimates with prices. */
export function scoreEstimates(sample: readonly Scored[]): Scores {
  const errors = Float64Array.from(sample, ({ estimate, price }) => Math.abs(estimate / price - 1)).sort();
  const share = (test: (each: Scored) => boolean): number => sample.filter(test).length / sample.length;
  const covers = ({ estimate, price }: Scored, reach: number): boolean =>
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
