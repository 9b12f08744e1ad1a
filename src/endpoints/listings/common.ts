import type { Parameter } from '#http/endpoint.ts';

export const LISTINGS = { area: 'Listings', audience: 'data', scope: 'listings' } as const;

export const listingIdParameter = {
  name: 'id',
  schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  description: 'Listing id.',
  required: true,
  nonCanonicalError: 'listing_not_found',
  example: '1',
} as const satisfies Parameter;
