import type { StoredListing } from '#domain/listings/listing.ts';
import { ADMIN_REQUEST, type OpenSearch } from '#search/client.ts';
import { openPointInTime } from '#search/point-in-time.ts';

export interface ScannedListing {
  id: number;
  stored: StoredListing;
}

/** Maximum time between requests for two pages. Each page extends the lifetime of the point in time. */
const KEEP_ALIVE = '10m';

/** Yields all listings of a point-in-time view in pages, in disk order, which is fastest. */
export async function* scanListings(
  client: OpenSearch,
  index: string,
  pageSize: number,
): AsyncGenerator<ScannedListing[]> {
  await client.indices.refresh({ index }, ADMIN_REQUEST);
  const pit = await openPointInTime(client, index, KEEP_ALIVE);
  try {
    for (let after: unknown[] | undefined; ; ) {
      const search_after = after ? { search_after: after } : {};
      const body = { size: pageSize, track_total_hits: false, pit: pit.clause, sort: ['_shard_doc'], ...search_after };
      type Answer = { hits: { hits: { _id: string; _source: StoredListing; sort: unknown[] }[] } };
      const { hits } = await client.send<Answer>('POST', '/_search', { body, ...ADMIN_REQUEST });
      if (hits.hits.length === 0) return;
      yield hits.hits.map(({ _id, _source }) => ({ id: Number(_id), stored: _source }));
      after = hits.hits.at(-1)?.sort;
    }
  } finally {
    await pit.close();
  }
}
