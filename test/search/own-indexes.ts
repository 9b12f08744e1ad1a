import { randomBytes } from 'node:crypto';
import type { Client } from '@opensearch-project/opensearch';
import { SERVED_INDEXES } from '#domain/index-state.ts';
import { ADMIN_REQUEST, createOpenSearch } from '#search/client.ts';
import { type ListingIndex, openListingIndex, prepareIndexes } from '#search/listing-index/index.ts';
import { removeIndexes } from '#test/engines.ts';
import { testEnv } from '#test/env.ts';

/** An index prefix that is used only by one test file, and everything created under it. */
export interface OwnIndexes {
  client: Client;
  prefix: string;
  /**
   * Installs the templates and creates the listings index. The other indexes are not created, because they take three
   * times as long and few tests use them.
   */
  open(): Promise<ListingIndex>;
  /** Deletes all indexes and templates with the prefix. */
  remove(): Promise<void>;
}

/** Indexes passed as lost, so that they are not created. */
const OTHERS: ReadonlySet<string> = new Set(SERVED_INDEXES.filter((name) => name !== 'listings'));

/**
 * Resolves when the previous call of `open` has ended. Calls run sequentially, because the engine applies cluster state
 * changes one at a time and refuses changes that wait for 30 s, which those of ten prefixes do on a busy machine.
 */
let turn: Promise<unknown> = Promise.resolve();

export function ownIndexes(): OwnIndexes {
  const prefix = `t_${randomBytes(5).toString('hex')}_`;
  const client = createOpenSearch({ urls: testEnv().OPENSEARCH_URL.split(','), ...ADMIN_REQUEST });
  return {
    client,
    prefix,
    open() {
      const opened = turn.then(async () => {
        await prepareIndexes(client, prefix, OTHERS);
        return openListingIndex(client, prefix);
      });
      turn = opened.catch(() => {});
      return opened;
    },
    async remove() {
      await removeIndexes(prefix);
      await client.close();
    },
  };
}
