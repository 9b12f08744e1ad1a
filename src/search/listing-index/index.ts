import { messageOf } from '#domain/message-of.ts';
import { StoreError } from '#domain/store-error.ts';
import { indexBehind } from '../aliases.ts';
import { BulkError, type BulkResult, type ListingOp, opLines, retrying, sendBulk, throwIfRefused } from '../bulk.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../client.ts';
import type { SyncedIndex } from '../derived-index/index.ts';
import { readAliased } from '../indexes.ts';
import { type RunRecord, readRunRecords, writeMeta } from '../meta.ts';
import { startMerge } from '../segments.ts';
import { templateOf } from '../templates.ts';
import { checkVersion, readVersion } from './state.ts';
import { readWatermark, refreshCopies } from './watermark.ts';

export type { ListingOp } from '../bulk.ts';
export { BulkError } from '../bulk.ts';
export { IndexVersionError } from './state.ts';

/** The write side of the listings index. Writers hold the ingest lock, so that no fill runs meanwhile. */
export interface ListingIndex {
  alias: string;
  /** Also for derived indexes. */
  client: OpenSearch;
  /**
   * The fastest size is 1,000 to 2,000 operations with unique ids, with two batches in parallel.
   * @throws BulkError
   */
  bulk(ops: readonly ListingOp[]): Promise<BulkResult>;
  /** Before any ids or values of the run are visible. */
  recordRun(record: RunRecord): Promise<void>;
  /** Of the index and of the previous one. */
  runRecords(): Promise<RunRecord[]>;
  /** Makes previous writes visible to searches on every replica. */
  refresh(): Promise<void>;
  /** Publishes a watermark after a refresh. No later write may use a value of `filter.modified` up to it. */
  publish(watermark: number): Promise<void>;
  /** Null if the index has none. */
  watermark(): Promise<number | null>;
  /** @throws IndexMissingError */
  synced(): Promise<SyncedIndex>;
  /** Refreshes first. */
  isEmpty(): Promise<boolean>;
  /**
   * Runs a load with refreshes disabled, which creates fewer and larger segments and reduces its cost by a fifth. The
   * refresh interval is restored on return or, after a crash, when the load is repeated.
   */
  withoutRefresh<T>(load: () => Promise<T>): Promise<T>;
  startMerge(): Promise<void>;
}

/** A worker will rebuild the lost index. */
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

/** @throws IndexVersionError with the command to run if the index has another document version; IndexMissingError */
export async function openListingIndex(client: OpenSearch): Promise<ListingIndex> {
  const alias = client.aliases.listings;

  async function check(): Promise<void> {
    const index = await retrying(() => indexBehind(client, alias));
    if (index === null) throw new IndexMissingError(alias);
    checkVersion(index, await retrying(() => readVersion(client, index)));
  }

  await check();

  async function bulk(ops: readonly ListingOp[]): Promise<BulkResult> {
    if (ops.length === 0) return { applied: 0, stale: 0 };
    const ids: number[] = [];
    const lines: string[] = [];
    const refused = new Map<number, string>();
    for (const op of ops) {
      try {
        lines.push(opLines(op));
        ids.push(op.id);
      } catch (error) {
        refused.set(op.id, messageOf(error));
      }
    }
    try {
      const result = await sendBulk(client, alias, ids, lines);
      throwIfRefused(alias, refused);
      return result;
    } catch (error) {
      if (!(error instanceof BulkError)) throw error;
      for (const [id, why] of error.refused) refused.set(id, why);
      throwIfRefused(alias, refused);
      // The run is retried after a fill if the index was lost.
      await check();
      throw error;
    }
  }

  return {
    alias,
    client,
    bulk,
    recordRun: (run) => retrying(() => writeMeta(client, alias, { run })),
    runRecords: () => retrying(() => readRunRecords(client)),
    refresh: () => refreshCopies(client, alias),
    publish: async (watermark) => {
      await check();
      await refreshCopies(client, alias);
      await retrying(() => writeMeta(client, alias, { watermark }));
    },
    watermark: () => retrying(() => readWatermark(client, alias)),
    synced: async () => {
      const shown = await readAliased(client, 'listings');
      if (shown === null) throw new IndexMissingError(alias);
      return { index: shown.index, documents: shown.documents };
    },
    isEmpty: async () => {
      await refreshCopies(client, alias);
      const { body } = await client.count({ index: alias });
      return body.count === 0;
    },
    startMerge: async () => {
      await retrying(() => startMerge(client, alias));
    },
    withoutRefresh: async (load) => {
      await retrying(() => setRefreshInterval(client, alias, '-1'));
      try {
        return await load();
      } finally {
        await retrying(() => setRefreshInterval(client, alias, templateOf('listings').settings.index.refresh_interval));
      }
    },
  };
}

/** A missing index must not replace the error of the load. */
async function setRefreshInterval(client: OpenSearch, alias: string, refresh_interval: string): Promise<void> {
  const query = { ignore_unavailable: 'true' };
  await client.send('PUT', `/${alias}/_settings`, { query, body: { index: { refresh_interval } }, ...ADMIN_REQUEST });
}
