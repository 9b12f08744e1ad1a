import { PROJECT_SCHEMA } from '#domain/off-plan/schema.ts';
import { defineEndpoint, type Parameter } from '#http/endpoint.ts';
import { pageOfRows, pageParameters, pageSchema } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import { pickRows } from '#queries/filters/compile.ts';
import { PROJECT_FILTERS } from '#queries/off-plan/filters.ts';
import { PROJECT_SORT_NAMES, PROJECT_SORTS, projectsBody } from '#queries/off-plan/projects.ts';
import { indexNames } from '#search/client.ts';
import { toParameter } from '../listings/parameters.ts';
import { developerPrices, OFF_PLAN, type ProjectHits, presentProject } from './common.ts';

const sortParameter = {
  name: 'sort',
  schema: { type: 'string', enum: PROJECT_SORT_NAMES, default: 'newest' },
  description: `Order of the results: ${PROJECT_SORT_NAMES.map((name) => `\`${name}\` (${PROJECT_SORTS[name].description})`).join(', ')}.`,
  example: 'newest',
} as const satisfies Parameter;

export const searchProjects = defineEndpoint({
  ...OFF_PLAN,
  path: '/v1/projects',
  operationId: 'searchProjects',
  load: 'light',
  summary: 'Search off-plan projects',
  description:
    'Returns developments under construction or newly built that match all filters. A development found on several sources is one project: `also_listed_on` names the other sources. Prices are stated by the developer.',
  price: PRICES.projects,
  parameters: [...PROJECT_FILTERS.map((row) => toParameter(row)), sortParameter, ...pageParameters],
  response: pageSchema(PROJECT_SCHEMA, developerPrices),
  prefetch: ({ query, cursor, services, deadline }) => {
    const filters = pickRows(PROJECT_FILTERS, query);
    const body = projectsBody({ filters, sort: query.sort, size: query.limit + 1, after: cursor?.after });
    return services.search.search<ProjectHits>(indexNames(services.config.opensearch.indexPrefix).projects, body, {
      deadline,
    });
  },
  handle: async (call, prefetch) => {
    const { hits } = await prefetch;
    const list = { name: `projects ${call.query.sort}`, filters: pickRows(PROJECT_FILTERS, call.query) };
    const page = await pageOfRows(call, list, async (size) =>
      hits.hits.slice(0, size).map(({ _source, sort }) => ({
        row: presentProject(_source.display, call.services.config),
        position: sort,
      })),
    );
    return { body: { ...page, price_source: 'developer' } };
  },
});
