import { single } from '#domain/json-schema.ts';
import { LISTING_SCHEMA } from '#domain/listings/schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { PRICES } from '#metering/prices.ts';
import { listingsById } from './by-ids.ts';
import { LISTINGS, listingIdParameter } from './common.ts';
import { respondWith } from './presentation.ts';

export const getListing = defineEndpoint({
  path: '/v1/listings/{id}',
  operationId: 'getListing',
  load: 'light',
  ...LISTINGS,
  summary: 'Get a listing',
  description: 'Returns a live listing by id, even if search excludes it because of an implausible price or size.',
  price: PRICES.listing,
  pathParameters: [listingIdParameter],
  response: single(LISTING_SCHEMA),
  errors: ['listing_not_found'],
  handle: async (call) => {
    const { found, page } = await listingsById(call, [call.path.id]);
    return respondWith(page, () => {
      const listing = found.get(call.path.id);
      if (!listing) throw new ApiError('listing_not_found', { param: 'id' });
      return [Buffer.from('{"data":'), ...listing.json, Buffer.from('}')];
    });
  },
});
