import type { Clause } from '../clause.ts';
import { type FilterName, type FilterValues, pickFilters, rowsOf } from '../filters/table.ts';
import { searchFilter } from '../listings/search.ts';
import { type Hour, windowStart } from './window.ts';

/** The filters of statistics: place, type, rooms and size, with the same meaning as in search. */
export const COHORT_FILTERS = [
  'city',
  'listing_type',
  'neighborhood_id',
  'neighborhood_id_exclude',
  'bbox',
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
] as const satisfies readonly FilterName[];

export type CohortFilterName = (typeof COHORT_FILTERS)[number];

/** The rows of those filters, without some where they have no meaning. */
export function cohortRows<Without extends CohortFilterName = never>(...without: readonly Without[]) {
  return rowsOf(COHORT_FILTERS.filter((name): name is Exclude<CohortFilterName, Without> => !isIn(without, name)));
}

const isIn = (names: readonly string[], name: string): boolean => names.includes(name);

/** The filters of a request for statistics: always of one city. */
export interface CohortFilters extends FilterValues {
  readonly city: string;
}

/** The filters of a query that are of a cohort, in the order of the table. */
export const cohortOf = (query: CohortFilters): CohortFilters => ({
  ...pickFilters(query, COHORT_FILTERS),
  city: query.city,
});

/** The query of a cohort: plausible listings as search finds them, updated within the window. */
export function cohortQuery(filters: FilterValues, hour: Hour): Clause {
  const updated = { range: { 'filter.updated_at': { gte: windowStart(hour) } } };
  return { bool: { filter: [...searchFilter(filters, { now: hour }), updated] } };
}

/** The part that every request for aggregations has. */
export function aggregateBody(query: Clause, aggs: Readonly<Record<string, Clause>>): Record<string, unknown> {
  return { size: 0, track_total_hits: true, query, aggs };
}
