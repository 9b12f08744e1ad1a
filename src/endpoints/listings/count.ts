import { integer, object, single } from '#domain/json-schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import { countBody } from '#queries/listings/search.ts';
import { indexNames } from '#search/client.ts';
import { checkPublished, filterParameters, filtersOf } from './parameters.ts';

export const countListings = defineEndpoint({
  path: '/v1/listings/count',
  operationId: 'countListings',
  load: 'light',
  area: 'Listings',
  summary: 'Count listings',
  description: 'Returns the number of listings that `GET /v1/listings` finds with the same filters.',
  audience: 'data',
  scope: 'listings',
  price: PRICES.count,
  parameters: filterParameters,
  response: single(object({ total: integer })),
  prefetch: async ({ query, services, now, deadline }) => {
    const filters = filtersOf(query);
    checkPublished(filters, services.indexGuard);
    return services.search.search<CountResponse>(
      indexNames(services.config.opensearch.indexPrefix).listings,
      countBody(filters, { now }),
      { deadline },
    );
  },
  handle: async (_call, prefetch) => ({ body: { data: { total: (await prefetch).hits.total.value } } }),
});

interface CountResponse {
  hits: { total: { value: number } };
}
