import { component } from '#domain/json-schema.ts';
import { isSmall, priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import { medianOf, type PercentilesResult, quartilesOf, snapToRoundWithin } from '#domain/statistics/quantiles.ts';
import { aggregationBody, type Clause } from '../clause.ts';
import { compileFilters } from '../filters/compile.ts';
import type { FilterValues } from '../filters/table.ts';
import { plausible } from '../listings/search.ts';
import { cohortRows, hdrPercentiles } from '../market/cohort.ts';
import { aggregateValues } from '../market/collected.ts';

/** Which listings count in a month: those that were live at any time during it, or first seen in it. */
export const TREND_BASES = component('TrendBasis', ['on_market', 'new_listings'] as const);
export type TrendBasis = (typeof TREND_BASES)[number];

export const MAX_MONTHS = 36;
export const MAX_SERIES = 5;

/** Filters for market trends. The history index stores no compounds; ages are those that the source stated last. */
export const TREND_ROWS = cohortRows('compound', 'in_compound');

export interface TrendInput {
  filters: FilterValues;
  basis: TrendBasis;
  /** Months as returned by `monthOf`, both inclusive. */
  firstMonth: number;
  lastMonth: number;
}

/** Requests all series and months by a range histogram, which reads each document once. */
export function trendsBody({ filters, basis, firstMonth, lastMonth }: TrendInput): Record<string, unknown> {
  const filter = [
    ...compileFilters(filters, { now: 0 }),
    plausible(filters, `${basis}.plausible`),
    { range: { [`${basis}.months`]: { gte: firstMonth, lte: lastMonth } } },
  ];
  const aggs = { months: monthsClause(basis, firstMonth, lastMonth) };
  const series = { series: { terms: { field: 'filter.neighborhood_id', size: MAX_SERIES }, aggs } };
  return aggregationBody(filter, filters.neighborhood_id === undefined ? aggs : series);
}

const monthsClause = (basis: TrendBasis, min: number, max: number): Clause => ({
  histogram: { field: `${basis}.months`, interval: 1, min_doc_count: 1, hard_bounds: { min, max } },
  aggs: {
    // At most 180 buckets: a fifth of the time of t-digests.
    price: hdrPercentiles(`${basis}.price`),
    prices: { stats: { field: `${basis}.price` } },
    price_per_sqm: hdrPercentiles(`${basis}.price_per_sqm`, MEDIAN_PERCENTS),
  },
});

/** Columns of intervals: first and last month, price, and price per square meter. */
export type Intervals = readonly [first: number[], last: number[], price: number[], perSqm: (number | null)[]];

/** The months of a cohort, exactly as `trendsBody` requests them, from all of its intervals. */
export function monthsOf(intervals: Intervals, { basis, firstMonth, lastMonth }: Omit<TrendInput, 'filters'>) {
  const aggregations = { months: { value: [intervals] } };
  const body = { aggs: { months: monthsClause(basis, firstMonth, lastMonth) } };
  const found = aggregateValues(body, { aggregations }) as unknown as { aggregations: Months };
  return found.aggregations.months.buckets.toSorted((a, b) => a.key - b.key);
}

export function monthFigures(bucket: MonthBucket | undefined) {
  const size = bucket?.doc_count ?? 0;
  const { min, max } = bucket?.prices ?? { min: null, max: null };
  const snapToRound = snapToRoundWithin(min ?? 0, max ?? Number.POSITIVE_INFINITY);
  return {
    sample_size: size,
    small_sample: isSmall(size),
    ...priceQuartiles(bucket ? quartilesOf(bucket.price, size, snapToRound) : null),
    median_price_per_sqm_sar: bucket ? rounded(medianOf(bucket.price_per_sqm)) : null,
  };
}

export interface MonthBucket {
  key: number;
  doc_count: number;
  price: PercentilesResult;
  prices: { min: number | null; max: number | null };
  price_per_sqm: PercentilesResult;
}

interface Months {
  months: { buckets: readonly MonthBucket[] };
}

/** The trends of the whole cohort, or of each neighborhood. */
export interface TrendsResponse {
  aggregations: Partial<Months> & { series?: { buckets: readonly ({ key: string } & Months)[] } };
}
