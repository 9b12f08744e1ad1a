import type { StoredListing } from '#domain/listings/listing.ts';
import { ADMIN_REQUEST, type OpenSearch } from '#search/client.ts';

export interface ScannedListing {
  id: number;
  stored: StoredListing;
}

/** Yields all listings of an index that does not change meanwhile, in pages by id. */
export async function* scanListings(
  client: OpenSearch,
  index: string,
  pageSize: number,
): AsyncGenerator<ScannedListing[]> {
  await client.indices.refresh({ index }, ADMIN_REQUEST);
  for (let after: unknown[] | undefined; ; ) {
    const search_after = after ? { search_after: after } : {};
    const body = { size: pageSize, track_total_hits: false, sort: ['filter.id'], ...search_after };
    type Answer = { hits: { hits: { _id: string; _source: StoredListing; sort: unknown[] }[] } };
    const { hits } = await client.send<Answer>('POST', `/${index}/_search`, { body, ...ADMIN_REQUEST });
    if (hits.hits.length === 0) return;
    yield hits.hits.map(({ _id, _source }) => ({ id: Number(_id), stored: _source }));
    after = hits.hits.at(-1)?.sort;
  }
}
