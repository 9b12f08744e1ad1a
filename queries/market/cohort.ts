import { QUARTILE_PERCENTS, SHORT_QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import { aggregationBody, type Clause } from '../clause.ts';
import { pickRows } from '../filters/compile.ts';
import { type FilterName, type FilterValues, rowsOf } from '../filters/table.ts';
import { searchFilter } from '../listings/search.ts';

const COHORT_FILTERS = [
  'city',
  'listing_type',
  'neighborhood_id',
  'neighborhood_id_exclude',
  'bbox',
  'near',
  'near_any',
  'radius_m',
  'polygon',
  'compound',
  'in_compound',
  'listing_category',
  'property_type',
  'area_min',
  'area_max',
  'beds',
  'bathrooms',
  'beds_min',
  'beds_max',
  'bathrooms_min',
  'bathrooms_max',
  'livings_min',
  'max_age',
] as const satisfies readonly FilterName[];

type CohortFilterName = (typeof COHORT_FILTERS)[number];

export function cohortRows<Without extends CohortFilterName = never>(...without: readonly Without[]) {
  const excluded = new Set<string>(without);
  return rowsOf(COHORT_FILTERS.filter((name): name is Exclude<CohortFilterName, Without> => !excluded.has(name)));
}

export type CohortFilters = FilterValues & { readonly city: string };

export const cohortOf = (query: CohortFilters): CohortFilters => ({
  ...pickRows(cohortRows(), query),
  city: query.city,
});

/**
 * Aggregates the listings that a search with these filters returns and that were updated within the statistics window.
 */
export function cohortBody(filters: FilterValues, hour: Hour, aggs: Readonly<Record<string, Clause>>) {
  const updated = { range: { 'filter.updated_at': { gte: windowStart(hour) } } };
  return aggregationBody([...searchFilter(filters, { now: hour }), updated], aggs, true);
}

/** Requests percentiles of one cohort of any size: accurate to 0.1% and the fastest for many values. */
export const hdrPercentiles = (field: string, percents: readonly number[] = QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, hdr: { number_of_significant_value_digits: 3 } },
});

/**
 * Requests percentiles of many cohorts, for which HDR histograms are too large. The compression keeps a few hundred
 * values separate; prices, whose quartiles must be accurate to 1%, use twice as much. Each unit costs a quarter of a
 * kilobyte of heap per search thread; therefore the listings template allows one (`max_slice_count`).
 */
export const tdigestPercentiles = (field: string, percents: readonly number[] = SHORT_QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, tdigest: { compression: field === 'filter.price' ? 1_000 : 500 } },
});

/** Days in statistics of live listings. */
export const WINDOW_DAYS = 30;

export const DAY = 86_400_000;
const HOUR = 3_600_000;

declare const fullHour: unique symbol;

/**
 * Epoch milliseconds at a full hour. Only `hourOf` returns it, so that all requests within an hour share one cached
 * response.
 */
export type Hour = number & { readonly [fullHour]: true };

export const hourOf = (now: number): Hour => (Math.floor(now / HOUR) * HOUR) as Hour;

/** Epoch milliseconds. */
export const windowStart = (hour: Hour, days: number = WINDOW_DAYS): number => hour - days * DAY;

/** Returns the window from `days` before the full hour to the time of the request. */
export const marketWindow = (now: number, days: number = WINDOW_DAYS) => ({
  from: windowStart(hourOf(now), days),
  to: now,
});
