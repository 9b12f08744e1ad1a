import { messageOf } from '#domain/message-of.ts';
import { StoreError } from '#domain/store-error.ts';
import { listGenerations } from '../aliases.ts';
import { BulkError, type BulkResult, type ListingOp, opLines, retrying, sendBulk, throwIfRefused } from '../bulk.ts';
import type { OpenSearch } from '../client.ts';
import { compileScripts } from '../compile-scripts.ts';
import { prepareDerivedIndexes, type SyncedIndex } from '../derived-index/index.ts';
import { markedMapping, readAliased } from '../indexes.ts';
import { ensureMark, newMark, type RunRecord, readRunRecords } from '../meta.ts';
import { startMerge } from '../segments.ts';
import { createFromTemplate, templateOf } from '../templates.ts';
import {
  checkVersion,
  type IndexState,
  nextAlias,
  putSettings,
  readState,
  readVersion,
  writeListingMeta,
} from './state.ts';
import { readWatermark, refreshCopies } from './watermark.ts';

export type { ListingOp } from '../bulk.ts';
export { BulkError } from '../bulk.ts';
export { IndexVersionError } from './state.ts';

/** The write side of the listings index. Searches use `alias`. */
export interface ListingIndex {
  alias: string;
  /** Client for the cluster, also used for derived indexes. */
  client: OpenSearch;
  /**
   * Writes a batch. The fastest size is 1,000 to 2,000 operations, with two batches in parallel. On return, the live
   * index contains the batch, and during a migration the next index too. Ids must be unique within a batch.
   * @throws BulkError with the ids; IndexVersionError during a migration to another document version
   */
  bulk(ops: readonly ListingOp[]): Promise<BulkResult>;
  /** Records an ingest run in the index before any ids or values of the run are visible. */
  recordRun(record: RunRecord): Promise<void>;
  /** Returns the last run record of the index and of each earlier generation. */
  runRecords(): Promise<RunRecord[]>;
  /** Makes all previous writes visible to searches on every replica. */
  refresh(): Promise<void>;
  /**
   * Publishes a watermark after a refresh. All documents with `filter.modified` up to the watermark must have been
   * written, and no later write may use a value up to it.
   */
  publish(watermark: number): Promise<void>;
  /** Returns the watermark of the serving index, or null if it has none. */
  watermark(): Promise<number | null>;
  /** Returns the index behind the alias. @throws IndexMissingError */
  synced(): Promise<SyncedIndex>;
  /** Refreshes, then returns whether the index is empty. */
  isEmpty(): Promise<boolean>;
  /**
   * Runs a bulk load with refreshes disabled, so that searches see its documents only at the end. The load then creates
   * fewer and larger segments, which reduces its cost by a fifth. The refresh interval is restored on return or, after
   * a crash, when the load is repeated.
   */
  withoutRefresh<T>(load: () => Promise<T>): Promise<T>;
  /** Starts merging the segments that a bulk load has created. */
  startMerge(): Promise<void>;
}

/** The listings index is lost and will be rebuilt by a worker. */
class IndexMissingError extends StoreError {
  constructor(alias: string) {
    super(
      'opensearch',
      true,
      new Error(`the index ${alias} is missing; a worker rebuilds it, as does \`npm run ingest -- rebuild\``),
    );
    this.name = 'IndexMissingError';
  }
}

/**
 * Opens the listings index, which `prepareIndexes` must have created.
 * @throws IndexVersionError with the command to run if the live index has another document version; IndexMissingError
 *   if the index is lost
 */
export async function openListingIndex(client: OpenSearch): Promise<ListingIndex> {
  const alias = client.aliases.listings;
  const next = nextAlias(client);
  const versions = new Map<string, number>();

  /** Returns the current state, after checking the document versions of the indexes. */
  async function checkedState(): Promise<IndexState & { live: string }> {
    const state = await readState(client);
    if (state.live === null) throw new IndexMissingError(alias);
    for (const index of [state.live, state.next]) {
      if (index === null) continue;
      const version = versions.get(index) ?? (await readVersion(client, index));
      versions.set(index, version);
      checkVersion(index, version);
    }
    return state as IndexState & { live: string };
  }

  let state = await checkedState();

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
    for (;;) {
      const used = state;
      const sent = await Promise.allSettled([
        sendBulk(client, alias, ids, lines),
        used.next === null ? null : sendBulk(client, next, ids, lines),
      ]);
      // The state is read after the write, not before. A migration creates its alias first and then scans the old
      // index, so either the scan includes this write, or the alias is found here and the write is repeated on both
      // indexes.
      state = await retrying(checkedState);
      if (state.live !== used.live || state.next !== used.next) continue;
      for (const outcome of sent) {
        if (outcome.status === 'fulfilled') continue;
        const { reason } = outcome;
        if (!(reason instanceof BulkError) || reason.refused.size === 0) throw reason;
        for (const [id, why] of reason.refused) refused.set(id, why);
      }
      throwIfRefused(alias, refused);
      return (sent[0] as PromiseFulfilledResult<BulkResult>).value;
    }
  }

  async function refresh(): Promise<void> {
    const { live, next: filling } = state;
    await refreshCopies(client, filling === null ? live : `${live},${filling}`);
  }

  return {
    alias,
    client,
    bulk,
    recordRun: (run) => retrying(() => writeListingMeta(client, { run })),
    runRecords: () => retrying(() => readRunRecords(client)),
    refresh,
    publish: async (watermark) => {
      // A migration may have swapped the indexes since the last write.
      state = await retrying(checkedState);
      await refresh();
      await retrying(() => writeListingMeta(client, { watermark }));
    },
    watermark: () => retrying(() => readWatermark(client, alias)),
    synced: async () => {
      const index = await readAliased(client, 'listings');
      if (index === null) throw new IndexMissingError(alias);
      return { mark: await ensureMark(client, index.index), documents: index.documents };
    },
    isEmpty: async () => {
      await refresh();
      const { body } = await client.count({ index: alias });
      return body.count === 0;
    },
    startMerge: async () => {
      await retrying(() => startMerge(client, alias));
    },
    withoutRefresh: async (load) => {
      state = await retrying(checkedState);
      const { live } = state;
      const interval = await retrying(() => refreshInterval(client, live));
      await retrying(() => setRefreshInterval(client, live, '-1'));
      try {
        return await load();
      } finally {
        await retrying(() => setRefreshInterval(client, live, interval));
      }
    },
  };
}

/** Returns the refresh interval of an index, or that of its template if a crashed load disabled refreshes. */
async function refreshInterval(client: OpenSearch, index: string): Promise<string> {
  type Answer = Record<string, { settings: { index?: { refresh_interval?: string } } }>;
  const settings = await client.send<Answer>('GET', `/${index}/_settings/index.refresh_interval`);
  const interval = settings[index]?.settings.index?.refresh_interval;
  if (interval !== undefined && interval !== '-1') return interval;
  return templateOf('listings').settings.index.refresh_interval;
}

/** Ignores a missing index, because a concurrent migration may replace or delete it. */
function setRefreshInterval(client: OpenSearch, index: string, refresh_interval: string): Promise<void> {
  return putSettings(client, index, { refresh_interval }, { ignore_unavailable: 'true' });
}

/** Creates the next generation of the listings index and its alias. */
async function createFirst(client: OpenSearch): Promise<void> {
  const alias = client.aliases.listings;
  const { next } = await listGenerations(client, alias);
  // Nothing has been published yet, so 0 is a valid watermark.
  const mappings = markedMapping('listings', newMark(), { watermark: 0 });
  await createFromTemplate(client, 'listings', next, { aliases: { [alias]: {} }, mappings });
}

/**
 * Prepares the listings index and the derived indexes. Called when the service starts.
 * @param lost indexes that have contained documents. If one of them is missing, a worker rebuilds it, and no empty
 *   index is created
 */
export async function prepareIndexes(client: OpenSearch, lost: ReadonlySet<string>): Promise<void> {
  const { live } = await readState(client);
  if (live === null && !lost.has('listings')) await createFirst(client);
  else if (live !== null) checkVersion(live, await readVersion(client, live));
  await prepareSearches(client, lost);
}

/** Same as `prepareIndexes`, for an installation without lost indexes. @returns the listings index */
export async function prepareListingIndex(client: OpenSearch): Promise<ListingIndex> {
  await prepareIndexes(client, new Set());
  return openListingIndex(client);
}

/** Prepares the derived indexes and compiles the scripts. The listings index may belong to an earlier release. */
export async function prepareSearches(client: OpenSearch, lost: ReadonlySet<string>): Promise<void> {
  await prepareDerivedIndexes(client, lost);
  await compileScripts(client);
}
