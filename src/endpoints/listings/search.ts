import { ApiError } from '#domain/errors.ts';
import { joinListings, presentSearchAnswer } from '#domain/listings/present.ts';
import { LISTING_SCHEMA } from '#domain/listings/schema.ts';
import { cursorFingerprint, encodeCursor } from '#http/cursor.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { page } from '#http/pagination.ts';
import { searchBody } from '#queries/listings/search.ts';
import { BytePool, joinBytes } from '#search/byte-pool.ts';
import { indexNames } from '#search/client.ts';
import type { SearchAnswer } from '#search/read-engine.ts';
import {
  cursorParameter,
  filterParameters,
  filtersOf,
  limitParameter,
  type SearchQuery,
  sortParameter,
  unitsPerTen,
} from './parameters.ts';
import { presentationOf } from './presentation.ts';

export const searchListings = defineEndpoint<object, SearchQuery, unknown, SearchAnswer>({
  method: 'GET',
  path: '/v1/listings',
  operationId: 'searchListings',
  area: 'Listings',
  summary: 'Search listings',
  description:
    'Listings of one city and listing type that match all filters, without those whose price or size is implausible. Costs 1 unit per 10 results asked for with `limit`. There is no total: use `GET /v1/listings/count` with the same filters.',
  audience: 'data',
  scope: 'listings',
  units: ({ limit }) => unitsPerTen(limit),
  paged: true,
  pathParameters: [],
  parameters: [...filterParameters, sortParameter, limitParameter, cursorParameter],
  response: page(LISTING_SCHEMA),
  errors: ['unknown_city', 'invalid_cursor', 'result_window_exceeded'],
  prefetch: ({ query, cursor, services, now }) => {
    const { sort, limit } = query;
    const body = searchBody({ filters: filtersOf(query), sort, size: limit + 1, after: cursor?.after }, { now });
    return services.search.searchPooled(indexNames(services.config.opensearch.indexPrefix).listings, body);
  },
  handle: async (call, prefetch) => {
    const { query, cursor, caller, services } = call;
    const fingerprint = cursorFingerprint(caller.organization, query.sort, filtersOf(query));
    if (cursor && !cursor.fingerprint.equals(fingerprint)) throw new ApiError('invalid_cursor', { param: 'cursor' });

    const offset = cursor?.offset ?? 0;
    const limit = Math.min(query.limit, caller.paging_depth - offset);
    const { bytes, free } = await prefetch;
    try {
      const { listings, more, last } = presentSearchAnswer(bytes, limit, presentationOf(call));
      const reached = offset + listings.length;
      const next =
        more && last
          ? encodeCursor({ offset: reached, after: last, fingerprint }, services.config.cursorSecrets)
          : null;
      const pagination = {
        limit: query.limit,
        next_cursor: next,
        has_more: more,
        result_window_reached: more && reached >= caller.paging_depth,
      };
      const tail = Buffer.from(`],"pagination":${JSON.stringify(pagination)}}`);
      return { body: undefined, ...joinBytes(pages, [OPEN, ...joinListings(listings), tail]) };
    } finally {
      free();
    }
  },
});

/** Pages on their way out. */
const pages = new BytePool();
const OPEN = Buffer.from('{"data":[');
