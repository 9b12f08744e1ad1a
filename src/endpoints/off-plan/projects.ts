import type { StoredProject } from '#domain/off-plan/project.ts';
import { PROJECT_SCHEMA } from '#domain/off-plan/schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { pageParameters, pageSchema } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import { pickRows } from '#queries/filters/compile.ts';
import { PROJECT_FILTERS } from '#queries/off-plan/filters.ts';
import { PROJECT_SORT_NAMES, PROJECT_SORTS, projectsBody } from '#queries/off-plan/projects.ts';
import { sortBy, toParameter } from '../listings/parameters.ts';
import { searchIndex } from '../search-index.ts';
import { developerPrices, type Hits, OFF_PLAN, pageOfHits, presentProject } from './common.ts';

export const searchProjects = defineEndpoint({
  ...OFF_PLAN,
  path: '/v1/projects',
  operationId: 'searchProjects',
  summary: 'Search off-plan projects',
  description:
    'Returns developments under construction or newly built that match all filters. A development found on several sources is one project: `also_listed_on` names the other sources. Prices are stated by the developer.',
  price: PRICES.projects,
  parameters: [
    ...PROJECT_FILTERS.map((row) => toParameter(row)),
    sortBy(PROJECT_SORT_NAMES, PROJECT_SORTS),
    ...pageParameters,
  ],
  response: pageSchema(PROJECT_SCHEMA, developerPrices),
  prefetch: (call) => {
    const { query, cursor } = call;
    const filters = pickRows(PROJECT_FILTERS, query);
    const body = projectsBody({ filters, sort: query.sort, size: query.limit + 1, after: cursor?.after });
    return searchIndex<Hits<Pick<StoredProject, 'display'>>>(call, 'projects', body);
  },
  handle: async (call, prefetch) => {
    const list = { name: `projects ${call.query.sort}`, filters: pickRows(PROJECT_FILTERS, call.query) };
    const page = await pageOfHits(call, list, await prefetch, ({ display }) =>
      presentProject(display, call.services.config),
    );
    return { body: { ...page, price_source: 'developer' } };
  },
});
