import { ApiError } from '#domain/errors.ts';
import type { ListingDisplay, StoredListing } from '#domain/listings/listing.ts';
import type { Call } from '#http/endpoint.ts';
import { byIdsBody } from '#queries/listings/search.ts';
import { queryListings } from '../market/request.ts';

/** The listing that a request is about. @throws ApiError listing_not_found */
export async function findSubject(call: Pick<Call, 'services' | 'deadline'>, id: number): Promise<ListingDisplay> {
  const response = await queryListings<{ hits: { hits: readonly { _source: StoredListing }[] } }>(
    call,
    byIdsBody([id]),
  );
  const [found] = response.hits.hits;
  if (!found) throw new ApiError('listing_not_found', { param: 'id' });
  return found._source.display;
}

/** Price per square meter, where both are known. */
export const perSqm = (price: number | null, area: number | null): number | null =>
  price === null || area === null || area <= 0 ? null : price / area;
