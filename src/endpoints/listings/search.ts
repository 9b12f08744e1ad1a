import { component, described, integer, string, timestamp } from '#domain/json-schema.ts';
import { LISTING_FIELD_NAMES, LISTING_SCHEMA } from '#domain/listings/listing-schema.ts';
import { searchBody } from '#queries/listings/search.ts';
import { defineEndpoint } from '#src/http/endpoint.ts';
import { pageParameters, pageSchema } from '#src/http/pagination.ts';
import { PRICES } from '#src/metering/prices.ts';
import { readListings } from '../search-index.ts';
import {
  filterParameters,
  filtersOf,
  LISTINGS,
  logAndHintOf,
  negatedWords,
  publishedFilters,
  sortParameter,
} from './parameters.ts';
import { fieldsParameter, listingsResponse } from './presentation.ts';

const { properties, ...page } = pageSchema(LISTING_SCHEMA) as { properties: { pagination: { properties: object } } };

const searchSchema = {
  ...page,
  properties: {
    ...properties,
    pagination: component('SearchPagination', {
      ...properties.pagination,
      properties: {
        ...properties.pagination.properties,
        watermark: described(
          timestamp,
          'Time up to which all modified listings are included; present only with `sort=modified_asc`. After the last page, or at the paging depth, continue with this value as `modified_since`.',
        ),
        position: described(
          integer,
          'Only on the first page: position from which `GET /listings/changes` continues a copy of the results.',
        ),
        stream: described(string, 'Only on the first page: stream of the position.'),
        negated_words: negatedWords,
      },
    }),
  },
};

export const searchListings = defineEndpoint({
  path: '/v1/listings',
  operationId: 'searchListings',
  queue: 'searches',
  ...LISTINGS,
  summary: 'Search listings',
  description:
    'Returns the listings of one listing type in one or more cities, or in an area, that match all filters, except listings with an implausible price or size. The response has no total count: use `GET /v1/listings/count` with the same filters.',
  price: PRICES.search,
  parameters: [...filterParameters, sortParameter, ...pageParameters, fieldsParameter(LISTING_FIELD_NAMES)],
  response: searchSchema,
  list: ({ query }) => ({ name: query.sort, filters: filtersOf(query) }),
  load: async (call) => {
    const { cursor, services, now } = call;
    const { sort, limit } = call.query;
    const filters = publishedFilters(call);
    // The watermark is read once, so that the search ends exactly at the watermark in the response.
    const watermark = sort === 'modified_asc' ? services.indexGuard.watermark() : undefined;
    const position = cursor === null ? services.indexGuard.position() : null;
    const input = { filters, sort, size: limit + 1, after: cursor?.after, upTo: watermark };
    // A client that synchronizes reads each listing once.
    const rows = await readListings(call, searchBody(input, { now }), { scan: sort === 'modified_asc' });
    const hint = cursor === null ? await logAndHintOf(call, filters, rows.length) : {};
    return { rows, watermark, position, hint };
  },
  present: (call, loaded, page) => listingsResponse(call, { page, ...loaded }),
});
