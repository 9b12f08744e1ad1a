import { integer, object, single } from '#domain/json-schema.ts';
import { dataResponse, defineEndpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import { countBody } from '#queries/listings/search.ts';
import { searchIndex } from '../search-index.ts';
import { LISTINGS } from './common.ts';
import { filterParameters, publishedFilters } from './parameters.ts';

export const countListings = defineEndpoint({
  path: '/v1/listings/count',
  operationId: 'countListings',
  load: 'light',
  ...LISTINGS,
  summary: 'Count listings',
  description: 'Returns the number of listings that `GET /v1/listings` finds with the same filters.',
  price: PRICES.count,
  parameters: filterParameters,
  response: single(object({ total: integer })),
  prefetch: async (call) =>
    searchIndex<CountResponse>(call, 'listings', countBody(publishedFilters(call), { now: call.now })),
  handle: async (_call, prefetch) => dataResponse({ total: (await prefetch).hits.total.value }),
});

interface CountResponse {
  hits: { total: { value: number } };
}
