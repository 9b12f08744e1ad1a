import { arrayOf, integer, nullable, number, object } from '#domain/json-schema.ts';
import { type Bar, binsOf } from '#domain/statistics/bins.ts';
import { percentage, rounded } from '#domain/statistics/figures.ts';
import { TAILS, type Tail } from '#domain/statistics/percents.ts';
import { type PercentilesResult, percentileOf, quartilesOf, snapToRoundWithin } from '#domain/statistics/quantiles.ts';
import type { Measure } from '#queries/market/distribution.ts';

export interface DistributionAggregations {
  bars: { buckets: readonly Bar[] };
  percentiles: PercentilesResult;
  values: { count: number; min: number | null; max: number | null; avg: number | null };
}

/** Bins include `from` and exclude `to`. */
export const binsSchema = arrayOf(
  object({ from: nullable(number), to: nullable(number), count: integer, share_pct: nullable(number) }),
);

/** Returns the figures in a price or area distribution. */
export function readDistribution({ bars, percentiles, values }: DistributionAggregations, { bar }: Measure) {
  const snapToRound = snapToRoundWithin(values.min ?? 0, values.max ?? Number.POSITIVE_INFINITY);
  const tail = (percent: Tail): number | null => rounded(percentileOf(percentiles, percent, values.count, snapToRound));
  return {
    values,
    quartiles: quartilesOf(percentiles, values.count, snapToRound),
    tails: Object.fromEntries(TAILS.map((percent) => [percent, tail(percent)])) as Record<Tail, number | null>,
    bins: binsOf(bars.buckets, bar).map((bin) => ({ ...bin, share_pct: percentage(bin.count, values.count) })),
  };
}
