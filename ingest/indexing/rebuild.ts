import type pg from 'pg';
import type { ListingIndex } from '#search/listing-index/index.ts';
import type { Claim } from '#search/reindex/lease.ts';
import { rebuild } from '#search/reindex/reindex.ts';
import { readRows, storedListing } from './rows.ts';

const BATCH = 500;

/**
 * Writes every served listing to a new index, which takes the place of the one that serves: it is then equal to the
 * database, whatever was there. It makes no event: nothing has happened to the listings. The caller holds the ingest lock.
 * @returns how many were written
 */
export function rebuildIndex(
  pool: pg.Pool,
  { client, prefix }: Pick<ListingIndex, 'client' | 'prefix'>,
  claim: Claim,
  signal?: AbortSignal,
): Promise<number> {
  return rebuild(client, prefix, claim, async function* () {
    for (let after = 0; ; ) {
      signal?.throwIfAborted();
      const rows = await readRows(pool, 'served', { after, limit: BATCH });
      const last = rows.at(-1)?.id;
      if (last === undefined) return;
      after = last;
      // The source's state says when a listing was last confirmed; this is the earliest it can be.
      yield rows.map((row) => ({ id: row.id, version: row.version, stored: storedListing(row, row.firstSeen) }));
    }
  });
}
