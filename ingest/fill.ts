import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { IndexSize, ServedIndex, ServingIndex } from '#domain/index-state.ts';
import { LISTING_DOCUMENT_VERSION } from '#domain/listings/document.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { firstModified, type PublishedState, rebuiltModified } from '#domain/listings/modified.ts';
import { sendListings } from '#stores/opensearch/bulk.ts';
import { deleteOthers, type Fill, fillIndex } from '#stores/opensearch/fill.ts';
import { indexBehind, readAliased, readGenerations, readRunRecords, writeMeta } from '#stores/opensearch/indexes.ts';
import {
  IndexVersionError,
  type ListingOp,
  readModified,
  readWatermark,
  sampleListings,
} from '#stores/opensearch/listing-index/listing-index.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { templateOf } from '#stores/opensearch/templates.ts';
import {
  countExpected,
  readPrevious,
  readRegistry,
  recordIntent,
  recordPrevious,
  settleIndex,
} from '#stores/postgres/index-registry.ts';
import type { SessionPool } from '#stores/postgres/pool.ts';
import * as sql from '#stores/postgres/rows.ts';
import { fillDeals } from './deals/deals-stage.ts';
import { fillHistory } from './history/history-stage.ts';
import { type ListingRow, lastPublished, type RowSelection, readRows } from './indexing/listing-rows.ts';
import { raiseClock, readClock, savePublished } from './indexing/modification-clock.ts';
import { publish, withdrawPublications } from './indexing/publications.ts';
import { storedListing } from './indexing/render-listing.ts';
import { readStoredListings } from './indexing/stored-listings.ts';
import { fillProjects } from './off-plan/index-stage.ts';
import { publishedRun } from './postgres/earlier-rows.ts';
import { pagesById, sendBatches } from './postgres/pages.ts';
import { type Writer, withWriter } from './postgres/writer.ts';
import { rollbackTarget } from './rollback-target.ts';
import { findRestore, lastRunRecord, readLastRestore } from './run/restore.ts';
import type { FillContext } from './run/run-context.ts';
import type { Progress, Stage } from './run/run-report.ts';

const BATCH = 1_000;
/** Number of listings that are compared with Postgres before the alias moves. */
const SAMPLE = 500;

/** Indexes that are filled from the ingest tables, under the ingest lock. */
export const FILLED = ['listings', 'history', 'deals', 'projects', 'developers'] as const satisfies ServedIndex[];
export type FilledName = (typeof FILLED)[number];

export const isFilledHere = (name: string): name is FilledName => (FILLED as readonly string[]).includes(name);

type FillDerived = (context: FillContext, alias: string) => Promise<number>;

/** How derived indexes are filled, and the stages of a run that publish their rows. */
const DERIVED: Readonly<Record<Exclude<FilledName, 'listings'>, readonly [Stage, FillDerived]>> = {
  history: ['history', fillHistory],
  deals: ['deals', fillDeals],
  projects: ['project_index', (context, alias) => fillProjects(context, 'projects', alias)],
  developers: ['project_index', (context, alias) => fillProjects(context, 'developers', alias)],
};

export interface FillRequest extends Pick<Fill, 'review' | 'onStep'> {
  pool: SessionPool;
  /** The connection that holds the ingest lock. */
  writer: Writer;
  listingIndex: FillContext['listingIndex'];
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Called before the alias of the listings moves. @param rows changes marked `reindexed`, which copies then receive */
  onReindexed?: ((rows: number) => void | Promise<void>) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Fills an index from Postgres and moves the alias to it. Rows that an unfinished run has changed are as before the run,
 * which publishes them.
 */
async function fillFromTables(name: FilledName, request: FillRequest): Promise<IndexSize> {
  const { pool, writer, listingIndex, onProgress = () => {}, signal = new AbortController().signal } = request;
  signal.throwIfAborted();
  const context: FillContext = { pool, run: await lastRun(pool), listingIndex, onProgress, signal };
  if (name === 'listings') return fillListings(context, request);
  const [stage, fill] = DERIVED[name];
  const published = await publishedRun(pool, stage);
  const filled = await fillIndex(listingIndex.client, {
    ...recordedBy(request, name),
    write: (alias) => fill({ ...context, published }, alias),
  });
  const { source } = (await readRegistry(pool)).get(name) ?? {};
  await writer.transaction((db) => settleIndex(db, name, { ...filled, run: source?.version ?? null }), {
    durable: true,
  });
  return filled;
}

/**
 * Omits indexes that another process has filled from the same templates while this one waited for the lock.
 * @returns numbers of documents
 * @throws BusyError if another process holds the ingest lock at the deadline
 */
export async function fillIndexes(
  names: readonly FilledName[],
  request: Omit<FillRequest, 'writer'>,
  lockWait?: number,
): Promise<Partial<Record<FilledName, number>>> {
  const { client } = request.listingIndex;
  const before = new Map<FilledName, string | null>();
  for (const name of names) before.set(name, await indexBehind(client, client.aliases[name]));
  const isFilled = async (name: FilledName): Promise<boolean> => {
    const shown = await readAliased(client, name);
    const { digest, version } = templateOf(name).mappings._meta;
    return shown !== null && shown.index !== before.get(name) && shown.digest === digest && shown.version === version;
  };
  return withWriter(
    request.pool,
    `a fill of ${names.join(', ')}`,
    async (writer) => {
      const documents: Partial<Record<FilledName, number>> = {};
      for (const name of names)
        if (!(await isFilled(name))) documents[name] = (await fillFromTables(name, { ...request, writer })).documents;
      return documents;
    },
    lockWait,
  );
}

/**
 * Brings the previous index of the listings up to date, and moves the alias back to it.
 * @throws Error if there is none, or a run is unfinished; IndexVersionError if another release wrote it
 */
export function rollBack(request: Omit<FillRequest, 'writer'>, lockWait?: number): Promise<IndexSize> {
  const { pool, listingIndex, onProgress = () => {}, signal = new AbortController().signal } = request;
  const { client } = listingIndex;
  return withWriter(
    pool,
    'a rollback of listings',
    async (writer) => {
      const previous = await rollbackTarget(pool, client);
      if (previous === null) throw new Error('There is no previous index to go back to.');
      const { index, version } = previous;
      if (version !== LISTING_DOCUMENT_VERSION)
        throw new IndexVersionError(
          `The previous index ${index} holds documents of version ${version}, but this release writes version ${LISTING_DOCUMENT_VERSION}. Run \`npm run reindex -- rollback\` of the release that made it.`,
        );
      if ((await readAliased(client, 'listings'))?.index === index) throw new Error(`${index} serves already.`);
      if ((await readRegistry(pool)).get('listings')?.source.changing)
        throw new Error('An ingest run is unfinished. Complete it with `npm run ingest`, then go back.');
      const context: FillContext = { pool, run: await lastRun(pool), listingIndex, onProgress, signal };
      const since = { since: previous.run, watermark: (await readWatermark(client, index)) ?? 0 };
      return fillListings(context, { ...request, writer }, { index, since });
    },
    lockWait,
  );
}

/**
 * Fills the indexes that show another state than Postgres: all of them if Postgres was restored from a backup, and the
 * listings if their index was restored from an earlier snapshot. The caller must hold the ingest lock.
 */
export async function repairIndexes(request: FillRequest): Promise<void> {
  const { writer, listingIndex } = request;
  const restore = await findRestore(writer, await readRunRecords(listingIndex.client));
  if (restore !== null && restore.rebuilt_at === null) {
    for (const name of FILLED) await fillFromTables(name, request);
    await writer.transaction((db) => db.query('update restores set rebuilt_at = now() where rebuilt_at is null'), {
      durable: true,
    });
  } else {
    const { watermark } = await readClock(request.pool);
    if (isBehind(await readAliased(listingIndex.client, 'listings'), watermark))
      await fillFromTables('listings', request);
  }
}

/** Returns whether the listings index lacks published changes, as after a restore of a snapshot. */
const isBehind = (shown: ServingIndex | null, published: number | null): boolean =>
  shown !== null && published !== null && (shown.watermark ?? -1) < published;

/** Returns the last run. Versions of documents from later runs must exceed its id. */
async function lastRun(pool: pg.Pool): Promise<FillContext['run']> {
  const columns = { id: sql.integer, at: sql.timestamp };
  const last = await sql.queryRow(pool, columns, 'select id, at from ingest_runs order by id desc limit 1');
  return last ?? { id: 0, at: new Date(0) };
}

const recordedBy = ({ writer, review, onStep }: FillRequest, name: ServedIndex): Omit<Fill, 'write'> => ({
  name,
  recordIntent: (next, current) => writer.transaction((db) => recordIntent(db, name, next, current), { durable: true }),
  ...(review && { review }),
  ...(onStep && { onStep }),
});

/** @param into an earlier index to which only changes since its last run are written */
async function fillListings(
  fill: FillContext,
  request: FillRequest,
  into?: { index: string; since: RowSelection },
): Promise<IndexSize> {
  const { pool, writer } = request;
  const { client } = fill.listingIndex;
  const { published, indexed, shown, restored, compared, watermark } = await readServing(pool, client);
  const context: FillContext = { ...fill, published: indexed < fill.run.id ? indexed : undefined };
  await raiseClock(pool, watermark ?? 0);
  const { record } = (await readRegistry(pool)).get('listings') ?? {};
  const isRecorded = shown !== null && [record?.serving, record?.intended].includes(shown.index);
  const previous = isRecorded && !restored && !isBehind(shown, published) ? { index: shown.index, run: indexed } : null;
  const older = await readPrevious(pool, 'listings');
  const other = restored
    ? undefined
    : (await readGenerations(client, client.aliases.listings)).findLast(
        ({ meta }) => meta.version !== LISTING_DOCUMENT_VERSION,
      )?.index;
  const otherVersion = other === shown?.index ? previous?.index : other;
  let reindexed = 0;
  const filled = await fillIndex(client, {
    ...recordedBy(request, 'listings'),
    review: async (indexes) => {
      await request.onReindexed?.(reindexed);
      await request.review?.(indexes);
    },
    write: async (target) => {
      const filling = { target, indexed, compared, watermark, restored, since: into?.since };
      const { expected, changed } = await writeListings(context, writer, filling);
      reindexed = changed;
      return expected;
    },
    complete: async (index) => {
      await verifyListings(context, index);
      const run = await lastRunRecord(pool);
      await writeMeta(client, index, { watermark: (await readClock(pool)).high, ...(run && { run }) });
    },
    keep: [older?.index ?? null, shown?.index ?? null, otherVersion ?? null],
    ...(previous && { previousAlias: `${client.aliases.listings}-previous` }),
    ...(into && { into: into.index }),
  });
  await writer.transaction(
    async (db) => {
      await settleIndex(db, 'listings', { ...filled, run: indexed });
      await recordPrevious(db, 'listings', previous);
      await savePublished(db, (await readClock(db)).high, indexed);
    },
    { durable: true },
  );
  await deleteOthers(client, 'listings', [filled.index, previous?.index, otherVersion]);
  return filled;
}

/** What clients can have read of the serving index, which decides which listings get a new `modified_at`. */
export async function readServing(pool: pg.Pool, client: OpenSearch) {
  const { watermark: published, indexed } = await readClock(pool);
  const shown = await readAliased(client, 'listings');
  const restored = (await readLastRestore(pool))?.rebuilt_at === null;
  // Without a watermark, clients cannot have read the index in the order of `modified_at`.
  const compared = shown !== null && shown.watermark !== null ? shown.index : null;
  const watermark = compared !== null || published !== null ? Math.max(published ?? 0, shown?.watermark ?? 0) : null;
  return { published, indexed, shown, restored, compared, watermark };
}

interface ListingFill {
  /** Alias of the index. */
  target: string;
  /** The last run whose rows are published. */
  indexed: number;
  /** The serving index, if clients can have read it in the order of `modified_at`. */
  compared: string | null;
  watermark: number | null;
  restored: boolean;
  /** The rows to write to an earlier index; all if undefined. */
  since: RowSelection | undefined;
}

/** Writes the published listings. @returns number of documents that the index must contain, and of new values */
async function writeListings(
  { pool, listingIndex: { client }, onProgress, signal }: FillContext,
  writer: Writer,
  { target, indexed, compared, watermark, restored, since }: ListingFill,
): Promise<{ expected: number; changed: number }> {
  let changed = 0;
  const total = await countExpected(pool, 'listings');
  await writer.transaction((db) => withdrawPublications(db, indexed));
  const operation = (row: ListingRow): ListingOp | null => {
    const { id, version, served } = row;
    // `firstSeen` is the earliest possible confirmation; the source's state has the actual time.
    if (served) return { op: 'index', id, version, stored: storedListing(row, row.firstSeen) };
    return since === undefined ? null : { op: 'delete', id, version };
  };
  const selected: RowSelection[] = since ? [since] : [{ published: indexed }, { before: indexed }];
  const batches = async function* (): AsyncGenerator<ListingOp[]> {
    let done = 0;
    for (const which of selected)
      for await (const rows of pagesById(signal, (after) => readRows(pool, which, after, BATCH))) {
        // The values that searches see.
        const ids = rows.map(({ id }) => id);
        const inIndex = compared === null ? null : await readModified(client, compared, ids);
        // Rows that cannot be rendered are left out, as runs leave them out.
        const keep = (row: ListingRow, now: PublishedState) =>
          rebuiltModified(lastPublished(row), now, firstModified(row.firstSeen, row.id), {
            watermark,
            indexed: inIndex === null ? undefined : (inIndex.get(row.id) ?? null),
            restored,
          });
        const { ops, changed: moved } = await publish(rows, operation, writer.transaction, keep, true);
        changed += moved;
        yield ops;
        done += ops.length;
        onProgress({ stage: 'index', source: null, done, total: since === undefined ? total : null });
      }
  };
  const { written } = await sendBatches(batches(), (ops) => sendListings(client, target, ops));
  return { expected: since === undefined ? written : total, changed };
}

/**
 * Returns a listing as JSON, in which undefined and missing keys are equal, without the time of its last confirmation,
 * which is known only to the run that writes a document.
 */
const comparable = ({ display, private: hidden }: StoredListing): unknown =>
  JSON.parse(JSON.stringify({ display, private: { ...hidden, last_seen: null } }));

/** @throws Error with the ids of sampled listings whose documents differ from Postgres */
async function verifyListings(
  { pool, published, listingIndex: { client } }: FillContext,
  index: string,
): Promise<void> {
  const sample = await sampleListings(client, index, SAMPLE);
  const ids = sample.map(({ id }) => id);
  const stored = await readStoredListings(pool, ids, published);
  const different = sample.filter(({ id, stored: found }) => {
    const expected = stored.get(id);
    return !expected || !isDeepStrictEqual(comparable(expected), comparable(found));
  });
  if (different.length === 0) return;
  const shown = different.slice(0, 10).map(({ id }) => id);
  throw new Error(
    `${different.length} of ${sample.length} sampled listings in ${index} differ from Postgres, for example ${shown.join(', ')}. It does not replace the index in use.`,
  );
}
