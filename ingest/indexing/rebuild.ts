import type pg from 'pg';
import type { ListingIndex } from '#search/listing-index/index.ts';
import { withWriter } from '../postgres/writer.ts';
import { operation, readRows } from './rows.ts';

const BATCH = 500;

/**
 * Writes every served listing to the index, for an index that was lost. It makes no event: nothing has happened to the
 * listings.
 * @returns how many were written
 * @throws IngestBusyError during a run
 */
export async function rebuildIndex(
  pool: pg.Pool,
  index: ListingIndex,
  onProgress: (done: number) => void = () => {},
): Promise<number> {
  return withWriter(pool, async () => {
    let done = 0;
    for (let after = 0; ; ) {
      const rows = await readRows(pool, 'served', { after, limit: BATCH });
      const last = rows.at(-1)?.id;
      if (last === undefined) break;
      // The source's state says when a listing was last confirmed; this is the earliest it can be.
      await index.bulk(rows.flatMap((row) => operation(row, row.firstSeen) ?? []));
      after = last;
      done += rows.length;
      onProgress(done);
    }
    await index.refresh();
    await index.startMerge();
    return done;
  });
}
