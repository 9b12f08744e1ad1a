import { component } from '#domain/json-schema.ts';
import { MEDIAN_PERCENTS, QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import type { PercentilesResult } from '#domain/statistics/quantiles.ts';
import { aggregationBody, type Clause } from '../clause.ts';
import { compileFilters } from '../filters/compile.ts';
import type { FilterValues } from '../filters/table.ts';
import { plausible } from '../listings/search.ts';
import { cohortRows, hdrPercentiles } from '../market/cohort.ts';
import {
  ascending,
  type Column,
  type ColumnsResult,
  columnsClause,
  columnsOf,
  exactPercentiles,
} from '../market/collected.ts';

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
export function trendsBody(input: TrendInput): Record<string, unknown> {
  const { basis, firstMonth, lastMonth } = input;
  return bodyOf(input, {
    months: {
      histogram: {
        field: `${basis}.months`,
        interval: 1,
        min_doc_count: 1,
        hard_bounds: { min: firstMonth, max: lastMonth },
      },
      aggs: {
        // At most 180 buckets: a fifth of the time of t-digests.
        price: hdrPercentiles(`${basis}.price`),
        prices: { stats: { field: `${basis}.price` } },
        price_per_sqm: hdrPercentiles(`${basis}.price_per_sqm`, MEDIAN_PERCENTS),
      },
    },
  });
}

/** Maximum number of documents for requests of values. Above it, histograms are faster. */
export const MAX_INTERVALS_BY_VALUE = 10_000;

/** Requests the values from which `monthsOf` computes the same trends, mostly in a fifth of the time of histograms. */
export function trendValuesBody(input: TrendInput): Record<string, unknown> {
  const body = bodyOf(input, { values: columnsClause(columns(input.basis)) });
  return { ...body, track_total_hits: true, terminate_after: MAX_INTERVALS_BY_VALUE + 1 };
}

const columns = (basis: TrendBasis): readonly Column[] => [
  { field: `${basis}.first_month`, type: 'Longs' },
  { field: `${basis}.last_month`, type: 'Longs' },
  { field: `${basis}.price`, type: 'Doubles' },
  { field: `${basis}.price_per_sqm`, type: 'Doubles' },
];

function bodyOf({ filters, basis, firstMonth, lastMonth }: TrendInput, aggs: Record<string, Clause>) {
  const filter = [
    ...compileFilters(filters, { now: 0 }),
    plausible(filters, `${basis}.plausible`),
    { range: { [`${basis}.months`]: { gte: firstMonth, lte: lastMonth } } },
  ];
  const series = { series: { terms: { field: 'filter.neighborhood_id', size: MAX_SERIES }, aggs } };
  return aggregationBody(filter, filters.neighborhood_id === undefined ? aggs : series);
}

export interface MonthBucket {
  key: number;
  doc_count: number;
  price: PercentilesResult;
  prices: { min: number | null; max: number | null };
  price_per_sqm: PercentilesResult;
}

/** The trends of the whole cohort or of one neighborhood. */
type Series<Found> = Partial<Found> & {
  series?: { buckets: readonly ({ key: string; doc_count: number } & Found)[] };
};

export type Trends = Series<{ months: { buckets: readonly MonthBucket[] } }>;

export interface TrendValues {
  terminated_early?: boolean;
  hits: { total: { value: number } };
  aggregations: Series<{ values: ColumnsResult }>;
}

/**
 * @returns null if there are too many documents, or if the index lacks some values
 */
export function trendsOfValues(
  { terminated_early, hits, aggregations }: TrendValues,
  input: TrendInput,
): Trends | null {
  if (terminated_early) return null;
  const { values, series } = aggregations;
  if (values) {
    const buckets = monthsOf(values, hits.total.value, input);
    return buckets && { months: { buckets } };
  }
  const each = (series?.buckets ?? []).map(({ key, doc_count, values }) => {
    const buckets = monthsOf(values, doc_count, input);
    return buckets && { key, doc_count, months: { buckets } };
  });
  return each.includes(null) ? null : { series: { buckets: each.filter((found) => found !== null) } };
}

/** Computes the trends by month; null if any document has no values. */
function monthsOf(values: ColumnsResult, documents: number, { basis, firstMonth, lastMonth }: TrendInput) {
  const [first = [], last = [], price = [], perSqm = []] = columnsOf(values, columns(basis).length);
  if (first.length < documents) return null;
  const months = new Map<number, { price: (number | null)[]; perSqm: (number | null)[] }>();
  for (const [at, from] of first.entries())
    for (let key = Math.max(from ?? 0, firstMonth); key <= Math.min(last[at] ?? 0, lastMonth); key++) {
      const month = months.get(key) ?? { price: [], perSqm: [] };
      months.set(key, month);
      month.price.push(price[at] ?? null);
      month.perSqm.push(perSqm[at] ?? null);
    }
  return [...months].map(([key, month]): MonthBucket => {
    const prices = ascending(month.price);
    return {
      key,
      doc_count: month.price.length,
      price: exactPercentiles(prices, QUARTILE_PERCENTS),
      prices: { min: prices[0] ?? null, max: prices.at(-1) ?? null },
      price_per_sqm: exactPercentiles(ascending(month.perSqm), MEDIAN_PERCENTS),
    };
  });
}
