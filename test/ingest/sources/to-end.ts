import type { FeedEnd, FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import type { FeedRows } from '#ingest/sources/source.ts';

/** Reads a feed to its end. `ids` has the ids of accepted rows and the reasons for rejected ones. */
export async function toEnd(feed: FeedRows): Promise<{ rows: FeedRow[]; ids: string[]; end: FeedEnd }> {
  const rows: FeedRow[] = [];
  const read = feed[Symbol.asyncIterator]();
  for (let next = await read.next(); ; next = await read.next()) {
    if (next.done) {
      const ids = rows.map((row) => (row.ok ? row.raw.source_listing_id : row.reason));
      return { rows, ids, end: next.value as FeedEnd };
    }
    rows.push(next.value);
  }
}
