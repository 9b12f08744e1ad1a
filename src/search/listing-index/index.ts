import type { CountedIndex } from '#domain/index-state.ts';
import { StoreError } from '#domain/store-error.ts';
import { indexBehind } from '../aliases.ts';
import { BulkError, type BulkResult, type ListingOp, retrying, sendListings } from '../bulk.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../client.ts';
import { readAliased } from '../indexes.ts';
import { type RunRecord, writeMeta } from '../meta.ts';
import { startMerge } from '../segments.ts';
import { templateOf } from '../templates.ts';
import { checkVersion, readVersion } from './state.ts';
import { refreshCopies } from './watermark.ts';

export type { ListingOp } from '../bulk.ts';
export { IndexVersionError } from './state.ts';

export type ListingIndex = Awaited<ReturnType<typeof openListingIndex>>;

/** The listings index is lost and will be rebuilt by a worker. */
class IndexMissingError extends StoreError {
  constructor(alias: string) {
    super(
      'opensearch',
      true,
      new Error(`the index ${alias} is missing; a worker fills it again, as does \`npm run reindex\``),
    );
    this.name = 'IndexMissingError';
  }
}

/**
 * Opens the write side of the listings index. Writers hold the ingest lock, so that no fill runs meanwhile.
 * @throws IndexVersionError with the command to run if the index has another document version; IndexMissingError
 */
export async function openListingIndex(client: OpenSearch) {
  const alias = client.aliases.listings;

  const check = async (): Promise<void> => {
    const index = await retrying(() => indexBehind(client, alias));
    if (index === null) throw new IndexMissingError(alias);
    checkVersion(index, await retrying(() => readVersion(client, index)));
  };
  await check();

  return {
    alias,
    /** The client is shared with derived indexes. */
    client,

    /**
     * Writes a batch. The fastest size is 1,000 to 2,000 operations, with two batches in parallel. Ids must be unique
     * within a batch.
     * @throws BulkError
     */
    bulk: async (ops: readonly ListingOp[]): Promise<BulkResult> => {
      try {
        return await sendListings(client, alias, ops);
      } catch (error) {
        // The run is retried after a fill if the index was lost.
        if (error instanceof BulkError && error.refused.size === 0) await check();
        throw error;
      }
    },

    /** Records an ingest run before any ids or values of the run are visible. */
    recordRun: (run: RunRecord) => retrying(() => writeMeta(client, alias, { run })),

    /** Makes all previous writes visible to searches on every replica. */
    refresh: () => refreshCopies(client, alias),

    /** Publishes a watermark after a refresh. No later write may use a value of `filter.modified` up to it. */
    publish: async (watermark: number): Promise<void> => {
      await check();
      await refreshCopies(client, alias);
      await retrying(() => writeMeta(client, alias, { watermark }));
    },

    /**
     * Returns the index behind the alias after a refresh.
     * @throws IndexMissingError
     */
    synced: async (): Promise<CountedIndex> => {
      await refreshCopies(client, alias);
      const shown = await readAliased(client, 'listings');
      if (shown === null) throw new IndexMissingError(alias);
      return { index: shown.index, documents: shown.documents };
    },

    startMerge: () => retrying(() => startMerge(client, alias)),

    /**
     * Runs a bulk load with refreshes disabled. The load creates fewer and larger segments, which reduces its cost by a
     * fifth. The interval is restored on return or, after a crash, when the load is repeated.
     */
    withoutRefresh: async <T>(load: () => Promise<T>): Promise<T> => {
      await retrying(() => setRefreshInterval(client, alias, '-1'));
      try {
        return await load();
      } finally {
        await retrying(() => setRefreshInterval(client, alias, templateOf('listings').settings.index.refresh_interval));
      }
    },
  };
}

/** A missing index is ignored, so that the error of a load whose index was lost is not replaced. */
async function setRefreshInterval(client: OpenSearch, alias: string, refresh_interval: string): Promise<void> {
  const query = { ignore_unavailable: 'true' };
  await client.send('PUT', `/${alias}/_settings`, { query, body: { index: { refresh_interval } }, ...ADMIN_REQUEST });
}
