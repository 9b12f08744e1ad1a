import { component } from '#domain/json-schema.ts';
import { PROPERTY_TYPES } from '#domain/listing-vocabulary.ts';
import { aggregationBody, type Clause, type PageInput, pageBody } from '../clause.ts';
import { compileRows } from '../filters/compile.ts';
import { listingsBody, plausible } from '../listings/search.ts';
import type { Sort, SortName } from '../listings/sorts.ts';
import { tdigestPercentiles } from '../market/cohort.ts';
import {
  DEVELOPER_FILTERS,
  type DeveloperFilters,
  PROJECT_FILTERS,
  type ProjectFilters,
  UNIT_FILTERS,
  type UnitFilters,
} from './filters.ts';

/** Sorts of projects. Projects without the sorted field are excluded. */
export const PROJECT_SORTS = {
  newest: {
    by: ['filter.first_seen_at', 'desc'],
    description: 'most recently found first',
  },
  delivery: {
    by: ['filter.delivery_day', 'asc'],
    filter: { exists: { field: 'filter.delivery_day' } },
    description: 'earliest delivery first; only projects with a delivery date',
  },
  price_asc: {
    by: ['filter.price_min', 'asc'],
    filter: { exists: { field: 'filter.price_min' } },
    description: 'lowest price first; only projects with a price',
  },
  price_desc: {
    by: ['filter.price_max', 'desc'],
    filter: { exists: { field: 'filter.price_max' } },
    description: 'highest price first; only projects with a price',
  },
} as const satisfies Record<string, Sort>;
export type ProjectSortName = keyof typeof PROJECT_SORTS;
export const PROJECT_SORT_NAMES = component('ProjectSort', Object.keys(PROJECT_SORTS) as ProjectSortName[]);

/** `_source` is complete: OpenSearch returns selected fields in hash-table order. */
export function projectsBody({
  filters,
  sort: name,
  ...page
}: PageInput & { filters: ProjectFilters; sort: ProjectSortName }): Record<string, unknown> {
  const sort: Sort = PROJECT_SORTS[name];
  const [field, order] = sort.by;
  const filter = [...compileRows(PROJECT_FILTERS, filters, { now: 0 }), ...(sort.filter ? [sort.filter] : [])];
  return pageBody(filter, [{ [field]: order }, { 'filter.id': order }], page);
}

export function projectBody(id: number): Record<string, unknown> {
  return { size: 1, track_total_hits: false, query: { bool: { filter: [{ term: { 'filter.id': id } }] } } };
}

export function developersBody({
  filters,
  ...page
}: PageInput & { filters: DeveloperFilters }): Record<string, unknown> {
  const filter = compileRows(DEVELOPER_FILTERS, filters, { now: 0 });
  return pageBody(filter, [{ 'filter.project_count': 'desc' }, { 'filter.id': 'asc' }], page);
}

export interface UnitsInput extends PageInput {
  filters: UnitFilters;
  /** Id of the project; all projects if undefined. */
  project?: number;
  sort: SortName;
}

const unitsOf = (project: number): Clause => ({ term: { 'filter.project_id': project } });
const anyUnit: Clause = { exists: { field: 'filter.project_id' } };

export function unitsBody({ filters, project, ...page }: UnitsInput): Record<string, unknown> {
  const { city, listing_type, property_type } = filters;
  const filter = compileRows(UNIT_FILTERS, filters, { now: 0 });
  filter.push(project === undefined ? anyUnit : unitsOf(project));
  filter.push(plausible(property_type === undefined ? {} : { property_type }));
  return listingsBody({ ...page, filter, city, listing_type });
}

export function unitSummaryBody(project: number): Record<string, unknown> {
  return aggregationBody([unitsOf(project), plausible({})], {
    listing_types: {
      terms: { field: 'filter.listing_type', order: { _key: 'desc' } },
      aggs: {
        property_types: {
          terms: { field: 'filter.property_type', size: PROPERTY_TYPES.length },
          aggs: {
            price: tdigestPercentiles('filter.price'),
            area: tdigestPercentiles('filter.area'),
            with_area: { value_count: { field: 'filter.area' } },
          },
        },
      },
    },
  });
}
