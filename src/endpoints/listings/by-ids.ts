import { type PresentedListing, presentSearchAnswer } from '#domain/listings/present.ts';
import type { Call } from '#http/endpoint.ts';
import { byIdsBody } from '#queries/listings/search.ts';
import { indexNames } from '#search/client.ts';
import { presentationOf } from './presentation.ts';

/** Served listings by id, plausible or not. An id that is not served is not in the map. */
export async function listingsById(
  call: Pick<Call, 'caller' | 'services' | 'now'>,
  ids: readonly number[],
): Promise<Map<number, PresentedListing>> {
  const names = indexNames(call.services.config.opensearch.indexPrefix);
  const answer = await call.services.search.searchBytes(names.listings, byIdsBody(ids));
  const { listings } = presentSearchAnswer(answer, ids.length, presentationOf(call));
  return new Map(listings.map((listing) => [listing.id, listing]));
}
