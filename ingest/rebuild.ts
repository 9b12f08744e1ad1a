import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { chunks } from '#domain/chunks.ts';
import type { ServedIndex } from '#domain/index-state.ts';
import { firstModified, publishedState, rebuiltModified } from '#domain/listings/modified.ts';
import { readRegistry, recordNextIndex, settleIndex } from '#postgres/index-registry.ts';
import { inTransaction } from '#postgres/transaction.ts';
import { replaceDerivedIndex, type SyncedIndex } from '#search/derived-index/index.ts';
import { type RecordNextIndex, readAliased } from '#search/indexes.ts';
import type { ListingIndex } from '#search/listing-index/index.ts';
import { writeListingMeta } from '#search/listing-index/state.ts';
import { readModified } from '#search/listing-index/watermark.ts';
import type { Claim } from '#search/reindex/lease.ts';
import { rebuildListings } from '#search/reindex/reindex.ts';
import type { ScannedListing } from '#search/reindex/scan.ts';
import { fillDeals } from './deals/stage.ts';
import { fillHistory } from './history/stage.ts';
import { readStoredListings } from './indexing/documents.ts';
import { ModificationClock, raiseClock, readClock, savePublished } from './indexing/modification-clock.ts';
import { type Publication, publish, savePublications, withdrawPublications } from './indexing/publications.ts';
import { operation, storedListing } from './indexing/render.ts';
import { lastPublished, readRows } from './indexing/rows.ts';
import { fillProjects } from './off-plan/index-stage.ts';
import { pagesById } from './postgres/pages.ts';
import { withWriter } from './postgres/writer.ts';
import type { FillContext } from './run/context.ts';
import type { Progress } from './run/report.ts';
import { lastRunRecord, readLastRestore } from './run/restore.ts';

const BATCH = 500;
const VERIFIED_AT_ONCE = 100;

/** Indexes that are built from the ingest tables. */
export const REBUILT = ['listings', 'history', 'deals', 'projects', 'developers'] as const satisfies ServedIndex[];
export type RebuiltIndex = (typeof REBUILT)[number];

export const isRebuilt = (name: string): name is RebuiltIndex => (REBUILT as readonly string[]).includes(name);

export interface RebuildRequest {
  pool: pg.Pool;
  /** Client for the cluster. */
  listingIndex: Pick<ListingIndex, 'client'>;
  claim: Claim;
  onProgress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Rebuilds an index from Postgres, regardless of its content. Fills and verifies a new index, then makes it the serving
 * index with one alias swap. Creates no events, because no listing changed. The caller must hold the ingest lock.
 * @returns number of documents
 * @throws ReindexRunningError if another process is reindexing the listings
 */
export async function rebuildIndex(name: RebuiltIndex, request: RebuildRequest): Promise<number> {
  const { pool, listingIndex, claim, onProgress = () => {}, signal = new AbortController().signal } = request;
  signal.throwIfAborted();
  const context: FillContext = { pool, run: await lastRun(pool), listingIndex, onProgress, signal };
  const recordNext: RecordNextIndex = (next) => recordNextIndex(pool, name, next);
  const { mark, documents } =
    name === 'listings'
      ? await fillListings(context, claim, recordNext)
      : await replaceDerivedIndex(listingIndex.client, name, recordNext, (alias) => fillDerived(context, name, alias));
  const { source } = (await readRegistry(pool)).get(name) ?? {};
  await settleIndex(pool, name, { mark, documents, holds: source?.version ?? null });
  return documents;
}

/**
 * Rebuilds indexes under the ingest lock.
 * @returns number of documents by index
 * @throws IngestBusyError if a run is in progress
 */
export function rebuildIndexes(
  names: readonly RebuiltIndex[],
  request: RebuildRequest,
): Promise<Partial<Record<RebuiltIndex, number>>> {
  return withWriter(request.pool, async () => {
    const documents: Partial<Record<RebuiltIndex, number>> = {};
    for (const name of names) documents[name] = await rebuildIndex(name, request);
    return documents;
  });
}

/** Returns the last run. Versions of documents from later runs must exceed its id. */
async function lastRun(pool: pg.Pool): Promise<FillContext['run']> {
  const { rows } = await pool.query<FillContext['run']>('select id, at from ingest_runs order by id desc limit 1');
  return rows[0] ?? { id: 0, at: new Date(0) };
}

function fillDerived(context: FillContext, name: Exclude<RebuiltIndex, 'listings'>, alias: string): Promise<number> {
  if (name === 'history') return fillHistory(context, alias);
  if (name === 'deals') return fillDeals(context, alias);
  return fillProjects(context, name, alias);
}

async function fillListings(
  { pool, listingIndex: { client }, onProgress, signal }: FillContext,
  claim: Claim,
  recordNext: RecordNextIndex,
): Promise<SyncedIndex> {
  const state = await readClock(pool);
  const index = await readAliased(client, 'listings');
  // Without a watermark, clients cannot have read the index in the order of `modified_at`.
  const isComparable = index !== null && index.watermark !== null;
  const watermark =
    isComparable || state.watermark !== null ? Math.max(state.watermark ?? 0, index?.watermark ?? 0) : null;
  const restored = (await readLastRestore(pool))?.rebuilt_at === null;
  await raiseClock(pool, watermark ?? 0, restored);
  const clock = new ModificationClock((work) => work(pool));
  const rebuilt = await rebuildListings(client, claim, {
    recordNext,
    watermark: async () => (await readClock(pool)).high,
    fill: async (write) => {
      await withdrawPublications(pool);
      let written = 0;
      for await (const rows of servedRows(pool, signal)) {
        const shown = isComparable
          ? await readModified(
              client,
              index.index,
              rows.map(({ id }) => id),
            )
          : null;
        const { ops, publications } = await publish(
          rows,
          // `firstSeen` is the earliest possible confirmation; the source's state has the actual time.
          (row) => operation(row, row.firstSeen),
          clock,
          (row, now) =>
            rebuiltModified(lastPublished(row), now, firstModified(row.firstSeen, row.id), {
              watermark,
              modified: shown === null ? undefined : (shown.get(row.id) ?? null),
              restored,
            }),
        );
        await inTransaction(pool, (db) => savePublications(db, publications));
        await write(ops);
        written += ops.length;
        onProgress({ stage: 'index', source: null, done: written, total: null });
      }
      return written;
    },
    verify: (documents) => verifyListings(pool, documents),
  });
  const { high, indexed } = await readClock(pool);
  await savePublished(pool, high, indexed);
  const run = await lastRunRecord(pool);
  if (run !== null) await writeListingMeta(client, { run });
  return rebuilt;
}

const servedRows = (pool: pg.Pool, signal: AbortSignal | undefined) =>
  pagesById(signal, (after) => readRows(pool, 'served', { after, limit: BATCH }));

/**
 * Prepares publication. Records initial values for listings from an earlier release, so that later runs detect changes.
 * Rebuilds an index that is behind the recorded publications because it was restored from a snapshot or written by an
 * earlier release. The caller must hold the ingest lock.
 */
export async function preparePublication(request: RebuildRequest & { listingIndex: ListingIndex }): Promise<void> {
  const { pool, listingIndex } = request;
  const state = await readClock(pool);
  const shown = await listingIndex.watermark();
  if (state.watermark === null) {
    if (state.indexed > 0) await adoptListings(request, state.indexed);
    else if (shown === null) await listingIndex.publish(0);
    return;
  }
  if (state.indexed > state.run || shown === null || shown < state.watermark) await rebuildIndex('listings', request);
}

/**
 * Records listings from an earlier release as published.
 * @param indexed the last run whose documents are in the index; later changes are not published yet
 */
async function adoptListings(request: RebuildRequest & { listingIndex: ListingIndex }, indexed: number): Promise<void> {
  const { pool, listingIndex, signal } = request;
  for await (const rows of servedRows(pool, signal)) {
    const publications = rows.flatMap((row): Publication[] => {
      const { id, firstSeen } = row;
      if (row.modified !== null || row.changedRun > indexed) return [];
      const state = publishedState(storedListing(row, firstSeen));
      return [{ id, known: false, modified: firstModified(firstSeen, id), ...state }];
    });
    await inTransaction(pool, (db) => savePublications(db, publications));
  }
  await raiseClock(pool, 0);
  const { high } = await readClock(pool);
  await listingIndex.publish(high);
  await savePublished(pool, high, indexed);
}

/** @throws Error with the ids of listings whose documents differ from Postgres */
async function verifyListings(pool: pg.Pool, documents: readonly ScannedListing[]): Promise<void> {
  const different: number[] = [];
  for (const part of chunks([...documents], VERIFIED_AT_ONCE)) {
    const stored = await readStoredListings(
      pool,
      part.map(({ id }) => id),
    );
    for (const document of part) {
      const expected = stored.get(document.id);
      // Compared as JSON, in which undefined and missing keys are equal.
      if (!expected || !isDeepStrictEqual(JSON.parse(JSON.stringify(expected)), document.stored))
        different.push(document.id);
    }
  }
  if (different.length > 0)
    throw new Error(
      `Listings ${different.slice(0, 10).join(', ')} differ from Postgres in the new index, which does not serve.`,
    );
}
