import type { Job } from '#postgres/job.ts';
import type { OpenSearch } from '#search/client.ts';
import { needsMerge, readSegments, startMerge } from '#search/segments.ts';

/**
 * Merges indexes with too many segments or deleted documents. Does not wait for the merges, which may take minutes.
 * @param aliases to which ingest runs write
 */
export const mergeIndexes = (client: OpenSearch, aliases: readonly string[]): Job => ({
  name: 'merge-indexes',
  // The merge runs before the nightly ingest run, when there are few requests.
  schedule: '33 22 * * *',
  run: async () => {
    const sums = { segments: 0, documents: 0, deleted: 0, merges: 0 };
    for (const alias of aliases) {
      const found = await readSegments(client, alias);
      const merge = needsMerge(found);
      if (merge) await startMerge(client, alias);
      sums.segments += found.segments;
      sums.documents += found.documents;
      sums.deleted += found.deleted;
      sums.merges += merge ? 1 : 0;
    }
    return sums;
  },
});
