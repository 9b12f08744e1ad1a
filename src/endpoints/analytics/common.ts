import { timestamp } from '#domain/json-schema.ts';
import type { ListingDisplay, StoredListing } from '#domain/listings/listing.ts';
import { timestamp as formatTimestamp } from '#domain/listings/present.ts';
import type { Neighbor } from '#domain/statistics/estimate.ts';
import type { Subject } from '#domain/statistics/price-band.ts';
import { type NearbyResponse, nearbyBody, readNearby } from '#queries/analytics/nearby.ts';
import { byIdsBody } from '#queries/listings/search.ts';
import type { LoadCall } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { listingIdParameter } from '../listings/parameters.ts';
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

/** @throws ApiError `listing_not_found` */
export async function findSubject(call: Pick<LoadCall, 'services' | 'deadline'>, id: number): Promise<ListingDisplay> {
  const { hits } = await searchIndex<Hits>(call, 'listings', byIdsBody([id]));
  const [found] = hits.hits;
  if (!found) throw new ApiError('listing_not_found', { param: 'id' });
  return found._source.display;
}

/** With `bedrooms: null`, homes with any number of bedrooms. */
export const nearby = async (
  call: Pick<LoadCall, 'services' | 'now' | 'deadline'>,
  subject: Subject,
): Promise<Neighbor[]> =>
  readNearby(await searchIndex<NearbyResponse>(call, 'listings', nearbyBody(subject, call.now)));

export const perSqm = (price: number | null, area: number | null): number | null =>
  price === null || area === null || area <= 0 ? null : price / area;

/** In milliseconds. Sources are crawled twice a day. */
const VALID_MS = 12 * 3_600_000;

export const validitySchema = { computed_at: timestamp, expires_at: timestamp } as const;

export const validity = (now: number) => ({
  computed_at: formatTimestamp(now / 1000),
  expires_at: formatTimestamp((now + VALID_MS) / 1000),
});
