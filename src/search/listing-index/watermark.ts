import type { StoredListing } from '#domain/listings/listing.ts';
import { StoreError } from '#domain/store-error.ts';
import { modifiedBody } from '#queries/listings/search.ts';
import { retrying } from '../bulk.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../client.ts';
import { readMeta } from '../meta.ts';

/**
 * The watermark of a listings index in epoch microseconds, stored in its `_meta`: every replica shows the published
 * state of all listings whose `filter.modified` is at most the watermark. A replacement index or a restored snapshot
 * has a separate one.
 */

/** Returns the watermark, or null if the index has none. */
export async function readWatermark(client: OpenSearch, index: string): Promise<number | null> {
  return (await readMeta(client, index)).watermark ?? null;
}

const REFRESH_ATTEMPTS = 8;

/**
 * Makes all previous writes visible to searches on every replica. A recovering replica is refreshed before it serves
 * searches.
 * @throws StoreError if a replica was not refreshed
 */
export async function refreshCopies(client: OpenSearch, index: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { body } = await retrying(() => client.indices.refresh({ index, ignore_unavailable: true }, ADMIN_REQUEST));
    const { failed } = (body as { _shards: { failed: number } })._shards;
    if (failed === 0) return;
    if (attempt === REFRESH_ATTEMPTS)
      throw new StoreError('opensearch', true, new Error(`${failed} copies of ${index} were not refreshed`));
  }
}

/** Returns the `filter.modified` values that searches see, by listing id. */
export async function readModified(
  client: OpenSearch,
  index: string,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const { body } = await client.search({ index, body: modifiedBody(ids) }, ADMIN_REQUEST);
  type Hit = { fields: { 'filter.id': [number]; 'filter.modified'?: [number] } };
  const hits = body.hits.hits as unknown as Hit[];
  return new Map(
    hits.flatMap(
      ({
        fields: {
          'filter.id': [id],
          'filter.modified': modified,
        },
      }) => (modified === undefined ? [] : [[id, modified[0]] as const]),
    ),
  );
}

export async function sampleListings(client: OpenSearch, index: string, size: number): Promise<Sampled[]> {
  const random_score = { seed: Date.now(), field: '_seq_no' };
  const body = { size, query: { function_score: { random_score } } };
  type Found = { hits: { hits: { _id: string; _source: StoredListing }[] } };
  const { hits } = await client.send<Found>('POST', `/${index}/_search`, { body, ...ADMIN_REQUEST });
  return hits.hits.map(({ _id, _source }) => ({ id: Number(_id), stored: _source }));
}

export interface Sampled {
  id: number;
  stored: StoredListing;
}
