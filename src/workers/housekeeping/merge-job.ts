import type { Client } from '@opensearch-project/opensearch';
import { needsMerge, readSegments, startMerge } from '#search/segments.ts';
import type { Job } from './job.ts';

/**
 * Merges the index of listings when a day's changes have left many segments or deleted documents in it. Does not wait for
 * the end, which may take minutes.
 */
export const mergeListings = (client: Client, listings: string): Job => ({
  name: 'merge-listings',
  // An hour before the feeds of the night, and when few people ask.
  schedule: '33 22 * * *',
  run: async () => {
    const found = await readSegments(client, listings);
    const merge = needsMerge(found);
    if (merge) await startMerge(client, listings);
    return { ...found, merges: merge ? 1 : 0 };
  },
});
