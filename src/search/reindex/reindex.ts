import { setTimeout as sleep } from 'node:timers/promises';
import { chunks } from '#domain/chunks.ts';
import { LISTING_DOCUMENT_VERSION } from '#domain/listings/document.ts';
import { indexBehind } from '../aliases.ts';
import { type BulkResult, type ListingOp, opLines, retrying, sendBulk } from '../bulk.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../client.ts';
import type { RecordNextIndex } from '../indexes.ts';
import { findOutdated, IndexVersionError, readState, readVersion } from '../listing-index/state.ts';
import { ensureMark, readMeta } from '../meta.ts';
import { mergeIndex } from '../segments.ts';
import { templateOf } from '../templates.ts';
import { compareIndexes, compareListings, drawSample, readListings, recheck } from './compare.ts';
import { type Claim, describeHolder, type Lease, leaseHolder, ReindexRunningError, takeLease } from './lease.ts';
import { clearKilled, previousAlias, withMigration } from './migration.ts';
import { type ScannedListing, scanListings } from './scan.ts';

export type Step = 'prepare' | 'copy' | 'merge' | 'verify' | 'swap';

export interface ReindexOptions {
  /** Records the swap in Postgres. If omitted, the index guard accepts a new index with a mark and documents. */
  recordNext?: RecordNextIndex;
  /** Called at every step. During copying, `done` and `total` count documents. */
  onProgress?: (step: Step, done: number, total: number) => void;
  /** Documents per page and bulk request. */
  pageSize?: number;
  /** Number of randomly sampled documents that are compared completely at the end. */
  sampleSize?: number;
  /** Random seed of the sample. */
  seed?: number;
  /** Called with both indexes before the alias moves. If `review` throws, the new index is deleted. */
  review?: (indexes: { from: string; to: string }) => Promise<void>;
  /** Cancels the reindex before the alias moves: the new index is deleted. */
  signal?: AbortSignal;
}

export interface ReindexReport {
  from: string;
  to: string;
  documents: number;
  /** Duration of copying in seconds, and documents copied per second. */
  copy_seconds: number;
  documents_per_second: number;
  seconds: number;
  sample_compared: number;
  /** Names of the deleted indexes: those older than the previous index, and partly filled ones. */
  deleted: string[];
}

/** Number of concurrent bulk requests: enough to keep two write threads busy while the next request is prepared. */
const CONCURRENCY = 3;

/**
 * Copies the listings to a new index made from the current templates. Searches use the old index until the alias moves;
 * writes go to both indexes in the meantime. A failure leaves the serving index unchanged.
 * @throws ReindexRunningError if another process is reindexing
 */
export async function reindex(client: OpenSearch, claim: Claim, options: ReindexOptions = {}): Promise<ReindexReport> {
  const { onProgress = () => {}, pageSize = 1_500, sampleSize = 500, seed = Date.now(), signal } = options;
  const begun = performance.now();
  onProgress('prepare', 0, 0);
  const { live: from } = await readState(client);
  if (from === null) throw new Error('There is no listings index to reindex. Starting the service creates it.');
  return withLease(client, claim, async (lease) => {
    const deleted = await clearKilled(client, lease);
    const { live } = await readState(client);
    if (live !== from) throw new ReindexRunningError('Another reindex or rollback has just ended. Run this again.');
    // Throws if the index is of a newer release: copying would drop document fields that this release does not have.
    await findOutdated(client);
    return withMigration(client, lease, { from }, async ({ to, target, swap }) => {
      const copyBegun = performance.now();
      const check = async (): Promise<void> => {
        signal?.throwIfAborted();
        await lease.check();
      };
      await copyAll(client, { target, from, pageSize, check, onProgress });
      const copySeconds = (performance.now() - copyBegun) / 1000;
      onProgress('merge', 0, 0);
      await mergeIndex(client, to, check);
      onProgress('verify', 0, 0);
      const documents = await verifyCounts(client, from, to);
      const sampled = await verifySample(client, from, to, sampleSize, seed);
      await options.review?.({ from, to });
      await check();
      onProgress('swap', 0, 0);
      await options.recordNext?.({ mark: await ensureMark(client, to), documents });
      const older = await swap();
      return {
        from,
        to,
        documents,
        copy_seconds: round(copySeconds),
        documents_per_second: Math.round(documents / copySeconds),
        seconds: round((performance.now() - begun) / 1000),
        sample_compared: sampled,
        deleted: [...deleted, ...older],
      };
    });
  });
}

export interface RebuildOptions {
  recordNext: RecordNextIndex;
  /** Passes all published listings to `write`. @returns the number of listings */
  fill(write: (ops: readonly ListingOp[]) => Promise<unknown>): Promise<number>;
  /** Compares documents of the new index with their source. @throws Error if a document differs */
  verify(documents: readonly ScannedListing[]): Promise<void>;
  /** Returns the watermark for the new index. Called immediately before the alias moves. */
  watermark(): Promise<number>;
}

/**
 * Builds a new listings index from its source. Documents of the serving index that are newer than the source are lost.
 * If the old index exists, searches use it until the alias moves.
 * @throws ReindexRunningError if another process is reindexing; Error if the new index differs from its source
 */
export async function rebuildListings(
  client: OpenSearch,
  claim: Claim,
  { recordNext, fill, verify, watermark }: RebuildOptions,
): Promise<{ mark: string; documents: number }> {
  return withLease(client, claim, async (lease) => {
    await clearKilled(client, lease);
    const { live: from } = await readState(client);
    return withMigration(client, lease, { from }, async ({ to, target, swap }) => {
      const written = await fill(async (ops) => {
        await lease.check();
        return sendOps(client, target, ops);
      });
      await client.indices.refresh({ index: to }, ADMIN_REQUEST);
      const documents = await count(client, to);
      if (documents !== written)
        throw new Error(
          `${to} has ${documents} documents instead of ${written} and does not replace the index in use.`,
        );
      await verify(await readListings(client, to, await drawSample(client, to, SAMPLE, Date.now())));
      await mergeIndex(client, to, () => lease.check());
      const mark = await ensureMark(client, to);
      await recordNext({ mark, documents });
      await swap({ keep: false, watermark: await watermark() });
      return { mark, documents };
    });
  });
}

/** Number of sampled documents in a rebuilt index that are compared with their source. */
const SAMPLE = 500;

/** Takes the lease, runs `work` and releases the lease. */
async function withLease<T>(client: OpenSearch, claim: Claim, work: (lease: Lease) => Promise<T>): Promise<T> {
  const lease = await takeLease(client, claim);
  try {
    return await work(lease);
  } finally {
    // If the release fails, another process can take the lease over after this one has ended.
    await lease.release().catch(() => {});
  }
}

export interface RollbackReport {
  from: string;
  to: string;
  /** Number of documents changed after the swap that were copied to the previous index. */
  copied: number;
  deleted: number;
  seconds: number;
}

/** Restores the previous index, with all later writes. The current index becomes the previous one. */
export async function rollback(
  client: OpenSearch,
  claim: Claim,
  options: ReindexOptions = {},
): Promise<RollbackReport> {
  const { onProgress = () => {}, pageSize = 1_500, sampleSize = 500, seed = Date.now() } = options;
  const begun = performance.now();
  onProgress('prepare', 0, 0);
  return withLease(client, claim, async (lease) => {
    await clearKilled(client, lease);
    const { live: from } = await readState(client);
    const to = await indexBehind(client, previousAlias(client));
    if (from === null || to === null) throw new Error('There is no previous index to go back to.');
    // Later writes are copied in the document version of this release, so both versions must be equal.
    const version = await readVersion(client, to);
    if (version !== LISTING_DOCUMENT_VERSION)
      throw new IndexVersionError(
        `The previous index ${to} holds documents of version ${version}, but this release writes version ${LISTING_DOCUMENT_VERSION}. Run \`npm run reindex -- rollback\` of the release that made it.`,
      );
    return withMigration(client, lease, { from, to }, async ({ target, swap }) => {
      const { missing, surplus } = await compareIndexes(client, from, to);
      let done = 0;
      for (const ids of chunks(missing, pageSize)) {
        await lease.check();
        await writePage(client, target, await readListings(client, from, ids));
        done += ids.length;
        onProgress('copy', done, missing.length);
      }
      for (const part of chunks(surplus, pageSize)) {
        const ops = part.map(({ id, version }) => ({ op: 'delete', id, version }) as const);
        await sendOps(client, target, ops);
      }
      onProgress('verify', 0, 0);
      const documents = await verifyCounts(client, from, to);
      await verifySample(client, from, to, sampleSize, seed);
      onProgress('swap', 0, 0);
      await options.recordNext?.({ mark: await ensureMark(client, to), documents });
      await swap();
      return {
        from,
        to,
        copied: missing.length,
        deleted: surplus.length,
        seconds: round((performance.now() - begun) / 1000),
      };
    });
  });
}

export interface IndexStatus {
  live: { index: string; version: number; digest: string; documents: number } | null;
  next: string | null;
  previous: string | null;
  /** The process that is reindexing or rolling back, or that was killed while doing so. */
  running: string | null;
  /** Whether the template files were edited after the live index was created. */
  templates_changed: boolean;
}

export async function indexStatus(client: OpenSearch): Promise<IndexStatus> {
  const { live, next } = await readState(client);
  const previous = await indexBehind(client, previousAlias(client));
  const holder = await leaseHolder(client);
  const running = holder && describeHolder(holder);
  if (live === null) return { live: null, next, previous, running, templates_changed: false };
  const { version = 0, digest = '' } = await readMeta(client, live);
  const current = templateOf('listings').mappings._meta;
  return {
    live: { index: live, version, digest, documents: await count(client, live) },
    next,
    previous,
    running,
    templates_changed: version !== current.version || digest !== current.digest,
  };
}

interface Copying {
  /** Alias of the index that is being filled. */
  target: string;
  from: string;
  pageSize: number;
  /** @throws if copying must stop */
  check(): Promise<void>;
  onProgress: NonNullable<ReindexOptions['onProgress']>;
}

async function copyAll(client: OpenSearch, { target, from, pageSize, check, onProgress }: Copying): Promise<void> {
  const total = await count(client, from);
  let done = 0;
  const writes = new Set<Promise<void>>();
  for await (const page of scanListings(client, from, pageSize)) {
    if (writes.size >= CONCURRENCY) await Promise.race(writes);
    await check();
    const write: Promise<void> = writePage(client, target, page).then(() => {
      done += page.length;
      onProgress('copy', done, Math.max(total, done));
      writes.delete(write);
    });
    writes.add(write);
    // The promise is awaited below or in the race. Until then, a failure must not become an unhandled rejection.
    write.catch(() => {});
  }
  await Promise.all(writes);
}

/** Documents retain their versions, so that equal or newer documents written concurrently are not overwritten. */
async function writePage(client: OpenSearch, target: string, page: readonly ScannedListing[]): Promise<void> {
  const ops = page.map((listing) => ({ op: 'index', ...listing }) as const);
  await sendOps(client, target, ops, 'external');
}

/** Sends operations to an alias, as `sendBulk` does. */
function sendOps(
  client: OpenSearch,
  target: string,
  ops: readonly ListingOp[],
  versionType?: 'external',
): Promise<BulkResult> {
  const ids = ops.map(({ id }) => id);
  const lines = ops.map((op) => opLines(op, versionType));
  return sendBulk(client, target, ids, lines);
}

/** Maximum number of rechecks, and the delay between them in milliseconds: longer than all retries of a write. */
const MAX_CHECKS = 40;
const CHECK_INTERVAL = 500;

/** Compares document counts and, if they differ, the documents, because writes continue concurrently. */
async function verifyCounts(client: OpenSearch, from: string, to: string): Promise<number> {
  await client.indices.refresh({ index: `${from},${to}` }, ADMIN_REQUEST);
  const [before, after] = await Promise.all([count(client, from), count(client, to)]);
  if (before === after) return after;
  let differences = await compareIndexes(client, from, to);
  for (let check = 0; check < MAX_CHECKS && differences.missing.length + differences.surplus.length > 0; check += 1) {
    await sleep(CHECK_INTERVAL);
    differences = await recheck(client, from, to, differences);
  }
  const { missing, surplus } = differences;
  if (missing.length + surplus.length > 0) {
    const shown = [...missing, ...surplus.map(({ id }) => id)].slice(0, 10).join(', ');
    throw new Error(
      `${to} lacks ${missing.length} documents of ${from} and has ${surplus.length} others, for example ${shown}.`,
    );
  }
  return after;
}

async function verifySample(client: OpenSearch, from: string, to: string, size: number, seed: number): Promise<number> {
  const drawn = await drawSample(client, from, size, seed);
  let different = await compareListings(client, from, to, drawn);
  for (let check = 0; check < MAX_CHECKS && different.length > 0; check += 1) {
    await sleep(CHECK_INTERVAL);
    different = await compareListings(client, from, to, different);
  }
  if (different.length === 0) return drawn.length;
  throw new Error(
    `${different.length} of ${drawn.length} documents differ in ${to}, for example ${different.slice(0, 10).join(', ')}.`,
  );
}

async function count(client: OpenSearch, index: string): Promise<number> {
  const { body } = await retrying(() => client.count({ index }, ADMIN_REQUEST));
  return (body as { count: number }).count;
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
