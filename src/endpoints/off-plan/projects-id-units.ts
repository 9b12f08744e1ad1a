import { defineEndpoint } from '#http/endpoint.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { openPage, pageParameters } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import { pickRows } from '#queries/filters/compile.ts';
import { UNITS_OF_PROJECT_FILTERS } from '#queries/off-plan/filters.ts';
import { projectBody } from '#queries/off-plan/projects.ts';
import { unitsBody } from '#queries/off-plan/units.ts';
import { indexNames } from '#search/client.ts';
import { toParameter, unitSortParameter } from '../listings/parameters.ts';
import { OFF_PLAN, type ProjectHits, projectIdParameter } from './common.ts';
import { UNITS_SCHEMA, unitsResponse } from './unit-page.ts';

const [listingType, ...OTHERS] = UNITS_OF_PROJECT_FILTERS;
/** Optional, because a project has few units, so that one request can return units for sale and for rent. */
const listingTypeParameter = { ...toParameter(listingType), required: false, example: 'sale' } as const;

export const listProjectUnits = defineEndpoint({
  ...OFF_PLAN,
  path: '/v1/projects/{id}/units',
  operationId: 'listProjectUnits',
  load: 'light',
  summary: 'List units of an off-plan project',
  description:
    'Returns listings, for sale and for rent, that are units of the project. Implausible listings are excluded, as in every search. Prices are asking prices.',
  price: PRICES.projects,
  pathParameters: [projectIdParameter],
  parameters: [listingTypeParameter, ...OTHERS.map((row) => toParameter(row)), unitSortParameter, ...pageParameters],
  response: UNITS_SCHEMA,
  errors: ['project_not_found'],
  prefetch: ({ path, query, cursor, services, deadline }) => {
    const { sort, limit } = query;
    const names = indexNames(services.config.opensearch.indexPrefix);
    const filters = pickRows(UNITS_OF_PROJECT_FILTERS, query);
    const body = unitsBody({ filters, project: path.id, sort, size: limit + 1, after: cursor?.after });
    return Promise.all([
      services.search.search<ProjectHits>(names.projects, { ...projectBody(path.id), _source: false }, { deadline }),
      services.listings.read(names.listings, body, { limit, kind: 'units of a project', deadline }),
    ]);
  },
  handle: async (call, prefetch) => {
    const { path, query } = call;
    const filters = pickRows(UNITS_OF_PROJECT_FILTERS, query);
    const page = openPage(call, { name: `units of ${path.id} ${query.sort}`, filters });
    const [{ hits }, found] = await prefetch;
    if (hits.hits.length === 0) throw new ApiError('project_not_found', { param: 'id' });
    return unitsResponse(call, { page, found });
  },
});
