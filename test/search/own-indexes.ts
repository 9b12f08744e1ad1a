import { randomBytes } from 'node:crypto';
import { ADMIN_REQUEST, OpenSearch } from '#search/client.ts';
import type { ListingIndex } from '#search/listing-index/index.ts';
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
