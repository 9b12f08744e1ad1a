import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@opensearch-project/opensearch';
import { opLines, retrying, sendBulk } from '../listing-index/bulk.ts';
import {
  checkVersion,
  generationOf,
  type IndexMeta,
  listGenerations,
  nextAlias,
  readMeta,
  readState,
} from '../listing-index/state.ts';
import { installTemplates, listingTemplateMeta } from '../templates.ts';
import { chunks, compareIndexes, compareListings, drawSample, readListings, recheck } from './compare.ts';
import { clearKilled, createGeneration, deleteIndex, indexOf, openMigration, previousAlias } from './migration.ts';
import { type ScannedListing, scanListings } from './scan.ts';

export type Step = 'prepare' | 'copy' | 'verify' | 'swap';

export interface ReindexOptions {
  /** Called at every step, and while copying with the number of documents done and in total. */
  onProgress?: (step: Step, done: number, total: number) => void;
  /** Documents in a page and in a bulk request. */
  pageSize?: number;
  /** Documents compared in full at the end. */
  sampleSize?: number;
  /** Seed of the sample. */
  seed?: number;
}

export interface ReindexReport {
  from: string;
  to: string;
  documents: number;
  /** Duration of the copying, and documents per second. */
  copy_seconds: number;
  documents_per_second: number;
  seconds: number;
  sample_compared: number;
  /** Deleted indexes: older than the previous one, or half-filled. */
  deleted: string[];
}

/** Bulk requests at once: enough to keep two write threads busy while the next one is made. */
const CONCURRENCY = 3;

/**
 * Moves the listings to a new index made from the templates on disk. Searches use the old index until the alias moves, and
 * writes go to both meanwhile. A failure leaves what is served as it was.
 */
export async function reindex(client: Client, prefix: string, options: ReindexOptions = {}): Promise<ReindexReport> {
  const { onProgress = () => {}, pageSize = 1_500, sampleSize = 500, seed = Date.now() } = options;
  const begun = performance.now();
  onProgress('prepare', 0, 0);
  // Listed before the aliases are read: of two processes that begin at once, the second either sees the alias of the
  // first, or tries to create the same generation, which only one can.
  const generations = await listGenerations(client, prefix);
  const state = await readState(client, prefix);
  if (state.live === null) throw new Error('There is no listings index yet: `npm start` creates it.');
  const from = state.live;
  const cleared = await clearKilled(client, prefix, state);
  await installTemplates(client, prefix);
  const newest = generationOf(prefix, generations.at(-1) ?? from) ?? 0;
  const to = await createGeneration(client, prefix, newest + 1);
  const migration = await openMigration(client, prefix, from, to);
  try {
    const copyBegun = performance.now();
    await copyAll(client, prefix, from, pageSize, onProgress);
    const copySeconds = (performance.now() - copyBegun) / 1000;
    onProgress('verify', 0, 0);
    const documents = await verifyCounts(client, from, to);
    const sampled = await verifySample(client, from, to, sampleSize, seed);
    onProgress('swap', 0, 0);
    await migration.swap();
    const kept = new Set([from, to]);
    const deleted = generations.filter((index) => !kept.has(index) && index !== cleared);
    for (const index of deleted) await deleteIndex(client, index);
    if (cleared !== null) deleted.unshift(cleared);
    return {
      from,
      to,
      documents,
      copy_seconds: round(copySeconds),
      documents_per_second: Math.round(documents / copySeconds),
      seconds: round((performance.now() - begun) / 1000),
      sample_compared: sampled,
      deleted,
    };
  } catch (error) {
    // After the swap the new index serves. It is deleted only when the old one does.
    const now = await readState(client, prefix).catch(() => null);
    if (now?.live === from) await migration.abandon(true).catch(() => {});
    throw error;
  }
}

export interface RollbackReport {
  from: string;
  to: string;
  /** Changes since the swap that were copied to the older index. */
  copied: number;
  deleted: number;
  seconds: number;
}

/**
 * Returns to the previous index, after copying to it what was written since. The index that served becomes the previous
 * one, so that a second rollback goes forward again.
 */
export async function rollback(client: Client, prefix: string, options: ReindexOptions = {}): Promise<RollbackReport> {
  const { onProgress = () => {}, pageSize = 1_500, sampleSize = 500, seed = Date.now() } = options;
  const begun = performance.now();
  onProgress('prepare', 0, 0);
  const state = await readState(client, prefix);
  const to = await indexOf(client, previousAlias(prefix));
  if (state.live === null || to === null) throw new Error('There is no previous index to go back to.');
  const from = state.live;
  // Documents are written to it in this code's version.
  checkVersion(to, (await readMeta(client, to)).version);
  await clearKilled(client, prefix, state);
  const migration = await openMigration(client, prefix, from, to);
  try {
    const { missing, surplus } = await compareIndexes(client, from, to);
    let done = 0;
    for (const ids of chunks(missing, pageSize)) {
      await writePage(client, prefix, await readListings(client, from, ids));
      done += ids.length;
      onProgress('copy', done, missing.length);
    }
    for (const part of chunks(surplus, pageSize)) {
      const lines = part.map(({ id, version }) => opLines({ op: 'delete', id, version }));
      await sendBulk(
        client,
        nextAlias(prefix),
        part.map(({ id }) => id),
        lines,
      );
    }
    onProgress('verify', 0, 0);
    await verifyCounts(client, from, to);
    await verifySample(client, from, to, sampleSize, seed);
    onProgress('swap', 0, 0);
    await migration.swap();
    return {
      from,
      to,
      copied: missing.length,
      deleted: surplus.length,
      seconds: round((performance.now() - begun) / 1000),
    };
  } catch (error) {
    const now = await readState(client, prefix).catch(() => null);
    if (now?.live === from) await migration.abandon(false).catch(() => {});
    throw error;
  }
}

export interface IndexStatus {
  live: (IndexMeta & { index: string; documents: number }) | null;
  next: string | null;
  previous: string | null;
  /** Whether the template files were edited since the live index was made. */
  templates_changed: boolean;
}

export async function indexStatus(client: Client, prefix: string): Promise<IndexStatus> {
  const { live, next } = await readState(client, prefix);
  const previous = await indexOf(client, previousAlias(prefix));
  if (live === null) return { live: null, next, previous, templates_changed: false };
  const meta = await readMeta(client, live);
  const { version, digest } = listingTemplateMeta(prefix);
  return {
    live: { index: live, ...meta, documents: await count(client, live) },
    next,
    previous,
    templates_changed: meta.version !== version || meta.digest !== digest,
  };
}

async function copyAll(
  client: Client,
  prefix: string,
  from: string,
  pageSize: number,
  onProgress: NonNullable<ReindexOptions['onProgress']>,
): Promise<void> {
  const total = await count(client, from);
  let done = 0;
  const writes = new Set<Promise<void>>();
  for await (const page of scanListings(client, from, pageSize)) {
    if (writes.size >= CONCURRENCY) await Promise.race(writes);
    const write: Promise<void> = writePage(client, prefix, page).then(() => {
      done += page.length;
      onProgress('copy', done, Math.max(total, done));
      writes.delete(write);
    });
    writes.add(write);
    // Awaited below or in the race; until then a failure must not count as unhandled.
    write.catch(() => {});
  }
  await Promise.all(writes);
}

/** Documents keep their versions, so what a writer has written meanwhile stays. */
async function writePage(client: Client, prefix: string, page: readonly ScannedListing[]): Promise<void> {
  const lines = page.map((listing) => opLines({ op: 'index', ...listing }, 'external'));
  await sendBulk(
    client,
    nextAlias(prefix),
    page.map(({ id }) => id),
    lines,
  );
}

/** Differences are checked again so often, and so many milliseconds apart: a write and its retries may take that long. */
const MAX_CHECKS = 40;
const CHECK_INTERVAL = 500;

/** Compares counts. As writes go on, counts that differ are followed up document by document. */
async function verifyCounts(client: Client, from: string, to: string): Promise<number> {
  await client.indices.refresh({ index: `${from},${to}` }, { requestTimeout: 120_000 });
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

async function verifySample(client: Client, from: string, to: string, size: number, seed: number): Promise<number> {
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

async function count(client: Client, index: string): Promise<number> {
  const { body } = await retrying({}, () => client.count({ index }, { requestTimeout: 60_000 }));
  return (body as { count: number }).count;
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
