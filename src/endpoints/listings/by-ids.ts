import type { PresentedListing } from '#domain/listings/present.ts';
import type { Call } from '#http/endpoint.ts';
import { byIdsBody } from '#queries/listings/search.ts';
import type { ListingPage } from '#search/listing-reader.ts';
import { readListings } from '../search-index.ts';
import { presentationOf } from './presentation.ts';

/**
 * Returns live listings by id, including implausible ones. The map has no entry for other ids. The bytes are valid
 * until the page is freed.
 */
export async function listingsById(
  call: Pick<Call, 'caller' | 'services' | 'now' | 'deadline'>,
  ids: readonly number[],
): Promise<{ found: Map<number, PresentedListing>; page: ListingPage }> {
  const limit = ids.length;
  const kind = limit === 1 ? 'one by id' : 'several by id';
  const page = await readListings(call, byIdsBody(ids), { limit, kind });
  const { listings } = page.present(limit, presentationOf(call));
  return { found: new Map(listings.map((listing) => [listing.id, listing])), page };
}
