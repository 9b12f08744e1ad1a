import type { ListingDisplay, StoredListing } from '#domain/listings/listing.ts';
import type { Call } from '#http/endpoint.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { byIdsBody } from '#queries/listings/search.ts';
import { queryListings } from '../market/request.ts';

/**
 * Returns the listing that the request identifies.
 * @throws ApiError `listing_not_found`
 */
export async function findSubject(call: Pick<Call, 'services' | 'deadline'>, id: number): Promise<ListingDisplay> {
  const response = await queryListings<{ hits: { hits: readonly { _source: StoredListing }[] } }>(
    call,
    byIdsBody([id]),
  );
  const [found] = response.hits.hits;
  if (!found) throw new ApiError('listing_not_found', { param: 'id' });
  return found._source.display;
}

/** Returns the price per square meter, or null without a price or an area. */
export const perSqm = (price: number | null, area: number | null): number | null =>
  price === null || area === null || area <= 0 ? null : price / area;
