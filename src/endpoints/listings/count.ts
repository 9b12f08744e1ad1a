import { integer, object, single } from '#domain/json-schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { countBody } from '#queries/listings/search.ts';
import { indexNames } from '#search/client.ts';
import { filterParameters, filtersOf, type SearchQuery } from './parameters.ts';

export const countListings = defineEndpoint<object, SearchQuery, unknown, CountAnswer>({
  method: 'GET',
  path: '/v1/listings/count',
  operationId: 'countListings',
  area: 'Listings',
  summary: 'Count listings',
  description: 'How many listings a search with the same filters returns in all.',
  audience: 'data',
  scope: 'listings',
  units: () => 1,
  pathParameters: [],
  parameters: filterParameters,
  response: single(object({ total: integer })),
  errors: ['unknown_city'],
  prefetch: ({ query, services, now }) =>
    services.search.search<CountAnswer>(
      indexNames(services.config.opensearch.indexPrefix).listings,
      countBody(filtersOf(query), { now }),
    ),
  handle: async (_call, prefetch) => ({ body: { data: { total: (await prefetch).hits.total.value } } }),
});

interface CountAnswer {
  hits: { total: { value: number } };
}
