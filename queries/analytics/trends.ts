import { MEDIAN_PERCENTS, QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';
import { compileFilters } from '../filters/compile.ts';
import type { FilterValues } from '../filters/table.ts';
import { plausible } from '../listings/search.ts';
import { cohortRows } from '../market/cohort.ts';
import { hdrPercentiles } from '../market/percentiles.ts';

/** Which listings count in a month: those live at any point of it, or those first seen in it. */
export const TREND_BASES = ['on_market', 'new_listings'] as const;
export type TrendBasis = (typeof TREND_BASES)[number];

export const MAX_MONTHS = 36;
export const MAX_SERIES = 5;

/** The filters of trends. The history has no compounds. */
export const TREND_ROWS = cohortRows('compound', 'in_compound');

export interface TrendInput {
  filters: FilterValues;
  basis: TrendBasis;
  /** Numbers of months as `monthOf` gives them; both are included. */
  firstMonth: number;
  lastMonth: number;
}

/**
 * One request for all series and months. A document is a listing over a range of months, and counts in the bucket of
 * each: the histogram over ranges reads every document once, where one filter for each month would read it once a month.
 * @param percents of prices; null: how many listings are in each month, and nothing of their prices
 */
export function trendsBody(
  { filters, basis, firstMonth, lastMonth }: TrendInput,
  percents: readonly number[] | null = QUARTILE_PERCENTS,
): Record<string, unknown> {
  const { neighborhood_id: neighborhoods } = filters;
  const months: Clause = {
    histogram: {
      field: `${basis}.months`,
      interval: 1,
      min_doc_count: 1,
      hard_bounds: { min: firstMonth, max: lastMonth },
    },
    ...(percents === null
      ? {}
      : {
          aggs: {
            // At most 180 buckets: here HDR histograms take a fifth of the time of t-digests.
            price: hdrPercentiles(`${basis}.price`, percents),
            prices: { stats: { field: `${basis}.price` } },
            price_per_sqm: hdrPercentiles(`${basis}.price_per_sqm`, MEDIAN_PERCENTS),
          },
        }),
  };
  return {
    size: 0,
    track_total_hits: false,
    query: {
      bool: {
        filter: [
          // None of these filters depends on the clock.
          ...compileFilters(filters, { now: 0 }),
          plausible(filters, `${basis}.plausible`),
          { range: { [`${basis}.months`]: { gte: firstMonth, lte: lastMonth } } },
        ],
      },
    },
    aggs:
      neighborhoods === undefined
        ? { months }
        : { series: { terms: { field: 'filter.neighborhood_id', size: MAX_SERIES }, aggs: { months } } },
  };
}
