import { randomBytes } from 'node:crypto';
import type { IndexSize } from '#domain/index-state.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { sendListings } from '#stores/opensearch/bulk.ts';
import { fillIndex } from '#stores/opensearch/fill.ts';
import type { ListingIndex } from '#stores/opensearch/listing-index/listing-index.ts';
import { ADMIN_REQUEST, OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { prepareOwnIndexes, removeIndexes } from '#test/engines.ts';
import { testEnv } from '#test/env.ts';

/** An index prefix that is used only by one test file, and everything created under it. */
export interface OwnIndexes {
  client: OpenSearch;
  prefix: string;
  /** Creates the listings index. */
  open(): Promise<ListingIndex>;
  /** Deletes all indexes and templates with the prefix. */
  remove(): Promise<void>;
}

/**
 * Resolves when the previous call of `open` has ended. Calls run sequentially, because the engine applies cluster state
 * changes one at a time and refuses changes that wait for 30 s, which those of ten prefixes do on a busy machine.
 */
let turn: Promise<unknown> = Promise.resolve();

export function ownIndexes(): OwnIndexes {
  const prefix = `t_${randomBytes(5).toString('hex')}_`;
  const urls = testEnv().OPENSEARCH_URL.split(',');
  const client = new OpenSearch({ urls, indexPrefix: prefix, ...ADMIN_REQUEST });
  return {
    client,
    prefix,
    open() {
      const opened = turn.then(() => prepareOwnIndexes(client));
      turn = opened.catch(() => {});
      return opened;
    },
    async remove() {
      await removeIndexes(prefix);
      await client.close();
    },
  };
}

/** Moves the listings to a new index with the same documents, as a fill from Postgres does. */
export async function refill(client: OpenSearch): Promise<IndexSize> {
  const index = client.aliases.listings;
  await client.indices.refresh({ index });
  const body = { size: 10_000, version: true };
  type SearchResponse = { hits: { hits: { _id: string; _version: number; _source: StoredListing }[] } };
  const { hits } = await client.send<SearchResponse>('POST', `/${index}/_search`, { body });
  return fillIndex(client, {
    name: 'listings',
    recordIntent: async () => {},
    async write(target) {
      await sendListings(
        client,
        target,
        hits.hits.map(({ _id, _version: version, _source: stored }) => ({
          op: 'index',
          id: Number(_id),
          version,
          stored,
        })),
      );
      return hits.hits.length;
    },
  });
}
