import type { Clause } from '../clause.ts';
import { pickRows } from '../filters/compile.ts';
import { type FilterName, type FilterValues, rowsOf } from '../filters/table.ts';
import { searchFilter } from '../listings/search.ts';
import { aggregationBody } from '../page.ts';
import { type Hour, windowStart } from './window.ts';

/** Filters for market statistics, with the same meaning as in a search. */
const COHORT_FILTERS = [
  'city',
  'listing_type',
  'neighborhood_id',
  'neighborhood_id_exclude',
  'bbox',
  'near',
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
