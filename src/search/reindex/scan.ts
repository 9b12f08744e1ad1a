import type { StoredListing } from '#domain/listings/listing.ts';
import { retrying } from '../bulk.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../client.ts';
import { openPointInTime } from '../point-in-time.ts';

export interface ScannedListing {
  id: number;
  version: number;
  stored: StoredListing;
}

/** Id and version of a document. */
export interface ScannedVersion {
  id: number;
  version: number;
}

interface Hit {
  _id: string;
  _version: number;
  _source?: StoredListing;
  sort: unknown[];
}

/** Maximum time between requests for two pages. Each page extends the lifetime of the point in time. */
const KEEP_ALIVE = '10m';

/** Yields all documents of a point-in-time view in pages, in disk order, which is fastest. */
export async function* scanListings(
  client: OpenSearch,
  index: string,
  pageSize: number,
): AsyncGenerator<ScannedListing[]> {
  for await (const hits of pages(client, index, pageSize, { sort: ['_shard_doc'] })) {
    yield hits.map((hit) => ({ id: Number(hit._id), version: hit._version, stored: hit._source as StoredListing }));
  }
}

/** Yields the id and version of each document in a point-in-time view, by ascending id. */
export async function* scanVersions(client: OpenSearch, index: string): AsyncGenerator<ScannedVersion> {
  const body = { sort: [{ 'filter.id': 'asc' }], _source: false };
  for await (const hits of pages(client, index, 10_000, body)) {
    for (const hit of hits) yield { id: Number(hit._id), version: hit._version };
  }
}

/** Yields pages of a point-in-time view. The next page is requested before the current page is yielded. */
async function* pages(
  client: OpenSearch,
  index: string,
  size: number,
  query: Readonly<Record<string, unknown>>,
): AsyncGenerator<Hit[]> {
  await client.indices.refresh({ index }, ADMIN_REQUEST);
  const pit = await openPointInTime(client, index, KEEP_ALIVE);
  const read = async (after: unknown[] | undefined): Promise<Hit[]> => {
    const search_after = after ? { search_after: after } : {};
    const body = { size, version: true, track_total_hits: false, pit: pit.clause, ...query, ...search_after };
    type Answer = { hits?: { hits?: Hit[] }; _shards: { failed: number } };
    const { hits, _shards: shards } = await retrying(() =>
      client.send<Answer>('POST', '/_search', { body, ...ADMIN_REQUEST, maxRetries: 0 }),
    );
    if (shards.failed > 0) throw new Error(`A shard of ${index} did not respond.`);
    return hits?.hits ?? [];
  };
  let next: Promise<Hit[]> | null = read(undefined);
  try {
    while (next !== null) {
      const hits: Hit[] = await next;
      next = hits.length < size ? null : read(hits.at(-1)?.sort);
      // The promise is awaited in the next iteration. Until then, a failure must not become an unhandled rejection.
      next?.catch(() => {});
      if (hits.length > 0) yield hits;
    }
  } finally {
    await next?.catch(() => {});
    await pit.close();
  }
}
