import type { DeveloperDisplay } from '#domain/off-plan/project.ts';
import { DEVELOPER_SCHEMA } from '#domain/off-plan/schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { pageParameters, pageSchema } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import { pickRows } from '#queries/filters/compile.ts';
import { DEVELOPER_FILTERS } from '#queries/off-plan/filters.ts';
import { developersBody } from '#queries/off-plan/projects.ts';
import { toParameter } from '../listings/parameters.ts';
import { searchIndex } from '../search-index.ts';
import { type Hits, OFF_PLAN, pageOfHits } from './common.ts';

export const listDevelopers = defineEndpoint({
  ...OFF_PLAN,
  path: '/v1/developers',
  operationId: 'listDevelopers',
  summary: 'List developers of off-plan projects',
  description:
    'Returns developers with at least one project, most projects first, with the number of projects by status and by city.',
  price: PRICES.projects,
  parameters: [...DEVELOPER_FILTERS.map((row) => toParameter(row)), ...pageParameters],
  response: pageSchema(DEVELOPER_SCHEMA),
  prefetch: (call) => {
    const filters = pickRows(DEVELOPER_FILTERS, call.query);
    const body = developersBody({ filters, size: call.query.limit + 1, after: call.cursor?.after });
    return searchIndex<Hits<{ display: DeveloperDisplay }>>(call, 'developers', body);
  },
  handle: async (call, prefetch) => {
    const list = { name: 'developers', filters: pickRows(DEVELOPER_FILTERS, call.query) };
    return { body: await pageOfHits(call, list, await prefetch, ({ display }) => display) };
  },
});
