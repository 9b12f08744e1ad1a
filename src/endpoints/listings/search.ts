import { LISTING_SCHEMA } from '#domain/listings/schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { openPage, pageParameters, pageSchema } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import { searchBody } from '#queries/listings/search.ts';
import { indexNames } from '#search/client.ts';
import { filterParameters, filtersOf, sortParameter } from './parameters.ts';
import { listingsAnswer } from './presentation.ts';

export const searchListings = defineEndpoint({
  method: 'GET',
  path: '/v1/listings',
  operationId: 'searchListings',
  load: 'light',
  area: 'Listings',
  summary: 'Search listings',
  description:
    'Listings of one city and listing type that match all filters, without those whose price or size is implausible. There is no total: use `GET /v1/listings/count` with the same filters.',
  audience: 'data',
  scope: 'listings',
  price: PRICES.search,
  pathParameters: [],
  parameters: [...filterParameters, sortParameter, ...pageParameters],
  response: pageSchema(LISTING_SCHEMA),
  errors: [],
  prefetch: ({ query, cursor, services, now, deadline }) => {
    const { sort, limit } = query;
    const body = searchBody({ filters: filtersOf(query), sort, size: limit + 1, after: cursor?.after }, { now });
    const { listings } = indexNames(services.config.opensearch.indexPrefix);
    const kind = `search ${sort}${cursor ? ', further pages' : ''}`;
    return services.listings.read(listings, body, { limit, kind, deadline });
  },
  handle: async (call, prefetch) => {
    const page = openPage(call, { name: call.query.sort, filters: filtersOf(call.query) });
    return listingsAnswer(call, { page, found: await prefetch });
  },
});
