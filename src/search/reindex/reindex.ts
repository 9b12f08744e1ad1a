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
  /** Told of every step, and of documents done out of the total while copying. */
  onProgress?: (step: Step, done: number, total: number) => void;
  /** Documents a page and a bulk request. */
  pageSize?: number;
  /** Documents compared in full at the end. */
  sampleSize?: number;
  /** Draws the sample. */
  seed?: number;
}

export interface ReindexReport {
  from: string;
  to: string;
  documents: number;
  /** Time of copying, and documents a second in it. */
  copy_seconds: number;
  documents_per_second: number;
  seconds: number;
  sample_compared: number;
  /** Indexes deleted, because they are older than the previous one or half full. */
  deleted: string[];
}

/** Bulk requests under way at once: enough to keep two write threads busy while the next one is made. */
const LANES = 3;

/**
 * Moves the listings to a new index made from the templates as they are on disk. Searches go on and see the old index
 * until the alias moves; writes go to both meanwhile. Fails without having changed what is served.
 */
export async function reindex(client: Client, prefix: string, options: ReindexOptions = {}): Promise<ReindexReport> {
  const { onProgress = () => {}, pageSize = 1_500, sampleSize = 500, seed = Date.now() } = options;
  const begun = performance.now();
  onProgress('prepare', 0, 0);
  // Listed before the aliases are read: of two runs that begin at once, the second then either sees the alias of the
  // first, or asks for the same generation, which only one can create.
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
    // Served is the old index, or the new one when the fault came after the swap; only an index nobody reads goes.
    const now = await readState(client, prefix).catch(() => null);
    if (now?.live === from) await migration.abandon(true).catch(() => {});
    throw error;
  }
}

export interface RollbackReport {
  from: string;
  to: string;
  /** Changes since the swap that the older index was given first. */
  copied: number;
  deleted: number;
  seconds: number;
}

/**
 * Goes back to the previous index, having first brought it what was written since. The one left stays as the previous,
 * so that a second rollback goes forward again.
 */
export async function rollback(client: Client, prefix: string, options: ReindexOptions = {}): Promise<RollbackReport> {
  const { onProgress = () => {}, pageSize = 1_500, sampleSize = 500, seed = Date.now() } = options;
  const begun = performance.now();
  onProgress('prepare', 0, 0);
  const state = await readState(client, prefix);
  const to = await indexOf(client, previousAlias(prefix));
  if (state.live === null || to === null) throw new Error('There is no previous index to go back to.');
  const from = state.live;
  // Its documents are written anew from here, in the shape that this code knows.
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
  const lanes = new Set<Promise<void>>();
  for await (const page of scanListings(client, from, pageSize)) {
    if (lanes.size >= LANES) await Promise.race(lanes);
    const lane: Promise<void> = writePage(client, prefix, page).then(() => {
      done += page.length;
      onProgress('copy', done, Math.max(total, done));
      lanes.delete(lane);
    });
    lanes.add(lane);
    // Awaited below or in the race; a failure in between is not an unhandled one.
    lane.catch(() => {});
  }
  await Promise.all(lanes);
}

/** Documents keep their versions: what a writer has put there meanwhile, newer or the same, stays. */
async function writePage(client: Client, prefix: string, page: readonly ScannedListing[]): Promise<void> {
  const lines = page.map((listing) => opLines({ op: 'index', ...listing }, 'external'));
  await sendBulk(
    client,
    nextAlias(prefix),
    page.map(({ id }) => id),
    lines,
  );
}

/** A write is on its way to both indexes at most this long, its retries included. */
const SETTLE_LOOKS = 40;
const SETTLE_PAUSE = 500;

/** Writes go on, so counts that differ are looked into, document by document. */
async function verifyCounts(client: Client, from: string, to: string): Promise<number> {
  await client.indices.refresh({ index: `${from},${to}` }, { requestTimeout: 120_000 });
  const [before, after] = await Promise.all([count(client, from), count(client, to)]);
  if (before === after) return after;
  let differences = await compareIndexes(client, from, to);
  for (let look = 0; look < SETTLE_LOOKS && differences.missing.length + differences.surplus.length > 0; look += 1) {
    await sleep(SETTLE_PAUSE);
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
  let unlike = await compareListings(client, from, to, drawn);
  for (let look = 0; look < SETTLE_LOOKS && unlike.length > 0; look += 1) {
    await sleep(SETTLE_PAUSE);
    unlike = await compareListings(client, from, to, unlike);
  }
  if (unlike.length === 0) return drawn.length;
  throw new Error(
    `${unlike.length} of ${drawn.length} documents differ in ${to}, for example ${unlike.slice(0, 10).join(', ')}.`,
  );
}

async function count(client: Client, index: string): Promise<number> {
  const { body } = await retrying({}, () => client.count({ index }, { requestTimeout: 60_000 }));
  return (body as { count: number }).count;
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
