import { arrayOf, integer, object, single } from '#domain/json-schema.ts';
import { BATCH_LISTING_FIELD_NAMES, BATCH_LISTING_SCHEMA } from '#domain/listings/listing-schema.ts';
import { type PresentedListing, presentRows } from '#domain/listings/present.ts';
import { byIdsBody } from '#queries/listings/search.ts';
import { defineEndpoint } from '#src/http/endpoint.ts';
import { listBytes } from '#src/http/pagination.ts';
import { PRICES } from '#src/metering/prices.ts';
import { readListings } from '../search-index.ts';
import { GONE_SCHEMA, goneListings, notFound } from './gone.ts';
import { LISTINGS, listingIdParameter } from './parameters.ts';
import { fieldsParameter, presentationOf } from './presentation.ts';

export const getListing = defineEndpoint({
  path: '/v1/listings/{id}',
  operationId: 'getListing',
  queue: 'searches',
  ...LISTINGS,
  summary: 'Get a listing',
  description:
    'Returns a live listing by id, even if search excludes it because of an implausible price or size: then `in_search` is false.',
  price: PRICES.listing,
  caching: 'validate',
  pathParameters: [listingIdParameter],
  parameters: [fieldsParameter(BATCH_LISTING_FIELD_NAMES)],
  response: single(BATCH_LISTING_SCHEMA),
  errors: ['listing_not_found'],
  load: async (call) => {
    const rows = await readListings(call, byIdsBody([call.path.id]));
    if (rows.length === 0) throw await notFound(call, call.path.id);
    return rows;
  },
  present: (call, rows) => {
    const json = withSearch(call, presentRows(rows, presentationOf(call))).flat();
    return { bytes: [Buffer.from('{"data":'), ...json, Buffer.from('}')] };
  },
});

const MAX_IDS = 100;

const IN_SEARCH = Buffer.from(',"in_search":true}');
const NOT_IN_SEARCH = Buffer.from(',"in_search":false}');

/**
 * `in_search` replaces the closing brace. The first sort value of `byIdsBody` states whether searches include the
 * listing.
 */
function withSearch(
  { query }: { query: { fields?: readonly string[] } },
  rows: readonly PresentedListing[],
): Uint8Array[][] {
  if (query.fields?.includes('in_search') === false) return rows.map(({ json }) => [...json]);
  return rows.map(({ sort, json: [prepared, tail] }) => [
    prepared,
    tail.subarray(0, -1),
    sort[0] === 1 ? IN_SEARCH : NOT_IN_SEARCH,
  ]);
}

export const batchListings = defineEndpoint({
  path: '/v1/listings/batch',
  operationId: 'batchListings',
  queue: 'searches',
  ...LISTINGS,
  summary: 'Get a batch of listings by id',
  description:
    'Returns up to 100 listings in the order of `ids`; `missing_ids` contains the ids without a live listing, and `gone` states why those are missing that were returned before. Listings that search excludes because of an implausible price or size are returned with `in_search: false`.',
  price: PRICES.batch,
  parameters: [
    {
      name: 'ids',
      schema: {
        type: 'array',
        items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        minItems: 1,
        maxItems: MAX_IDS,
      },
      description: 'Listing ids. Repeated ids return one listing.',
      required: true,
      nonCanonicalError: 'invalid_value',
      example: '1,2,3',
    },
    fieldsParameter(BATCH_LISTING_FIELD_NAMES),
  ],
  response: object({
    data: arrayOf(BATCH_LISTING_SCHEMA),
    missing_ids: arrayOf(integer),
    gone: arrayOf(GONE_SCHEMA),
  }),
  load: async (call) => {
    const ids = new Set(call.query.ids);
    const rows = await readListings(call, byIdsBody([...ids]));
    for (const { listing } of rows) ids.delete(listing.id);
    return { rows, gone: await goneListings(call, [...ids]) };
  },
  present: (call, { rows: loaded, gone }) => {
    const ids = [...new Set(call.query.ids)];
    const listings = presentRows(loaded, presentationOf(call));
    const found = new Map(listings.map((listing) => [listing.id, listing]));
    const rows = withSearch(
      call,
      ids.flatMap((id) => found.get(id) ?? []),
    );
    return { bytes: listBytes(rows, { missing_ids: ids.filter((id) => !found.has(id)), gone }) };
  },
});
