import { DEVELOPER_SCHEMA } from '#domain/off-plan/schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { pageOfRows, pageParameters, pageSchema } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import { pickRows } from '#queries/filters/compile.ts';
import { DEVELOPER_FILTERS } from '#queries/off-plan/filters.ts';
import { developersBody } from '#queries/off-plan/projects.ts';
import { indexNames } from '#search/client.ts';
import { toParameter } from '../listings/parameters.ts';
import { type DeveloperHits, OFF_PLAN } from './common.ts';

export const listDevelopers = defineEndpoint({
  ...OFF_PLAN,
  path: '/v1/developers',
  operationId: 'listDevelopers',
  load: 'light',
  summary: 'List developers of off-plan projects',
  description:
    'Returns developers with at least one project, most projects first, with the number of projects by status and by city.',
  price: PRICES.projects,
  parameters: [...DEVELOPER_FILTERS.map((row) => toParameter(row)), ...pageParameters],
  response: pageSchema(DEVELOPER_SCHEMA),
  prefetch: ({ query, cursor, services, deadline }) => {
    const filters = pickRows(DEVELOPER_FILTERS, query);
    const body = developersBody({ filters, size: query.limit + 1, after: cursor?.after });
    return services.search.search<DeveloperHits>(indexNames(services.config.opensearch.indexPrefix).developers, body, {
      deadline,
    });
  },
  handle: async (call, prefetch) => {
    const { hits } = await prefetch;
    const list = { name: 'developers', filters: pickRows(DEVELOPER_FILTERS, call.query) };
    return {
      body: await pageOfRows(call, list, async (size) =>
        hits.hits.slice(0, size).map(({ _source, sort }) => ({ row: _source.display, position: sort })),
      ),
    };
  },
});
