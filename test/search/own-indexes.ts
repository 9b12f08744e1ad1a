import { randomBytes } from 'node:crypto';
import type { Client } from '@opensearch-project/opensearch';
import { ADMIN_REQUEST, createOpenSearch } from '#search/client.ts';
import { type ListingIndex, prepareListingIndex } from '#search/listing-index/index.ts';
import { testEnv } from '#test/env.ts';

/** A prefix that only this test file uses, with everything created under it. */
export interface OwnIndexes {
  client: Client;
  prefix: string;
  /** Installs the templates and opens the listings index. */
  open(): Promise<ListingIndex>;
  /** Deletes indexes and templates of the prefix. */
  remove(): Promise<void>;
}

export function ownIndexes(): OwnIndexes {
  const prefix = `t_${randomBytes(5).toString('hex')}_`;
  const client = createOpenSearch({ urls: testEnv().OPENSEARCH_URL.split(','), ...ADMIN_REQUEST });
  return {
    client,
    prefix,
    open: () => prepareListingIndex(client, prefix),
    async remove() {
      for (const path of [`/${prefix}*`, `/_index_template/${prefix}*`, `/_component_template/${prefix}*`]) {
        await client.transport.request({ method: 'DELETE', path });
      }
      await client.close();
    },
  };
}
