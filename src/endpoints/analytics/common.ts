import type { ListingDisplay, StoredListing } from '#domain/listings/listing.ts';
import type { LoadCall } from '#http/endpoint.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { byIdsBody } from '#queries/listings/search.ts';
import { listingIdParameter } from '../listings/common.ts';
import { searchIndex } from '../search-index.ts';

export const ANALYTICS = { area: 'Analytics', audience: 'data', scope: 'analytics' } as const;

export const COMPARISON = {
  ...ANALYTICS,
  queue: 'statistics',
  pathParameters: [listingIdParameter],
  errors: ['listing_not_found'],
} as const;

interface Hits {
  hits: { hits: readonly { _source: StoredListing }[] };
}

/**
 * Returns the listing that the request identifies.
 * @throws ApiError `listing_not_found`
 */
export async function findSubject(call: Pick<LoadCall, 'services' | 'deadline'>, id: number): Promise<ListingDisplay> {
  const { hits } = await searchIndex<Hits>(call, 'listings', byIdsBody([id]));
  const [found] = hits.hits;
  if (!found) throw new ApiError('listing_not_found', { param: 'id' });
  return found._source.display;
}

/** Returns the price per square meter, or null without a price or an area. */
export const perSqm = (price: number | null, area: number | null): number | null =>
  price === null || area === null || area <= 0 ? null : price / area;
