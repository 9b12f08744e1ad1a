import type { IndexSize, ServedIndex } from '#domain/index-state.ts';
import type { Registration } from '#stores/opensearch/derived-index/derived-index.ts';
import { type FilledIndex, markStale, readFilled, recordIntent, settleIndex } from '#stores/postgres/index-registry.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';

/** Returns which index was filled from the tables, and a function that records its replacement. */
export async function registration(
  db: Queryable,
  name: ServedIndex,
): Promise<Registration & { filled: FilledIndex | null }> {
  return {
    filled: await readFilled(db, name),
    recordIntent: (next, current) => recordIntent(db, name, next, current),
  };
}

/**
 * Records that a run's writes are complete.
 * @param synced null if the index lacks changes; the next run then rewrites it
 */
export async function saveSynced(
  db: Transaction,
  name: ServedIndex,
  synced: IndexSize | null,
  run: number,
): Promise<void> {
  if (synced === null) await markStale(db, name);
  else await settleIndex(db, name, { ...synced, run });
}
