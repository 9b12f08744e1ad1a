import { PROPERTY_TYPES } from '#domain/listings/vocabulary.ts';
import type { Clause } from '../clause.ts';
import { compileRows } from '../filters/compile.ts';
import { listingsBody, plausible } from '../listings/search.ts';
import type { SortName } from '../listings/sorts.ts';
import { tdigestPercentiles } from '../market/percentiles.ts';
import { aggregationBody, type PageInput } from '../page.ts';
import { UNIT_FILTERS, type UnitFilters } from './filters.ts';

export interface UnitsInput extends PageInput {
  filters: UnitFilters;
  /** Id of the project; all projects if undefined. */
  project?: number;
  sort: SortName;
}

const unitsOf = (project: number): Clause => ({ term: { 'filter.project_id': project } });
const anyUnit: Clause = { exists: { field: 'filter.project_id' } };

/** Other listings do not have these fields. */
const OF_PROJECT = ['project_id', 'developer_id', 'status', 'features', 'banks'] as const;

/** Requests plausible listings that belong to a project, as in any search. */
export function unitsBody({ filters, project, ...page }: UnitsInput): Record<string, unknown> {
  const { city, listing_type, property_type } = filters;
  const filter = compileRows(UNIT_FILTERS, filters, { now: 0 });
  if (project !== undefined) filter.push(unitsOf(project));
  // The clause is omitted if another filter already matches only units, because each clause costs time.
  else if (!OF_PROJECT.some((name) => filters[name]?.length)) filter.push(anyUnit);
  filter.push(plausible(property_type === undefined ? {} : { property_type }));
  return listingsBody({ ...page, filter, city, listing_type });
}

/** Counts units by listing type and property type, with quartiles of prices and areas. */
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
