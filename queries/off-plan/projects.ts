import { component } from '#domain/json-schema.ts';
import { compileRows } from '../filters/compile.ts';
import type { Sort } from '../listings/sorts.ts';
import { type PageInput, pageBody } from '../page.ts';
import { DEVELOPER_FILTERS, type DeveloperFilters, PROJECT_FILTERS, type ProjectFilters } from './filters.ts';

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

/** Requests developers, most projects first. */
export function developersBody({
  filters,
  ...page
}: PageInput & { filters: DeveloperFilters }): Record<string, unknown> {
  const filter = compileRows(DEVELOPER_FILTERS, filters, { now: 0 });
  return pageBody(filter, [{ 'filter.project_count': 'desc' }, { 'filter.id': 'asc' }], page);
}
