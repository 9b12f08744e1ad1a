import type { S3Client } from '@aws-sdk/client-s3';
import PQueue from 'p-queue';
import type pg from 'pg';
import { chunks } from '#domain/chunks.ts';
import * as sql from '#postgres/rows.ts';
import { isMissing } from '#s3/missing.ts';
import { pagesById } from '../postgres/pages.ts';
import type { PhotoOptions } from '../run/photo-options.ts';
import { type CopyOutcome, copyPhoto } from './copy.ts';
import { createDownloader, type Downloader } from './download.ts';
import { recordImages } from './images.ts';
import { urlHash } from './keys.ts';
import { OWNER_TABLES, type Owner, type OwnerTable, readOwners } from './owners.ts';

const PAGE = 500;
const LOOKUPS = 32;
/** Number of listings or projects in a sample. */
const SAMPLE = 1_000;
/** Maximum share of missing photos. A larger one indicates a wrong bucket. */
const MAX_MISSING_SHARE = 0.01;
/** Minimum number of keys to which the share applies. */
const MIN_SAMPLE = 200;

export interface VerifyContext {
  pool: pg.Pool;
  s3: S3Client;
  photos: PhotoOptions;
  signal: AbortSignal;
  onProgress?: (progress: VerifyProgress) => void;
}

export interface VerifyProgress {
  stage: 'verify' | 'repair';
  done: number;
  total: number;
}

export interface VerifyRequest {
  /** All live listings and projects, or a sample of them. */
  scope: 'all' | 'sample';
  repair: boolean;
  /** Whether to repair even if many photos are missing. */
  confirmLoss?: boolean;
}

export interface VerifyReport {
  /** Number of keys, and of those that the bucket confirmed as missing. */
  checked: number;
  missing: number;
  /** Whether a repair requires confirmation because many photos are missing. */
  held: boolean;
  /** Number of photos stored again under their keys. */
  restored: number;
  /** Number of photos of which the source now has a different image, which the next run shows. */
  replaced: number;
  /** Number of photos that could not be fetched again, by reason. */
  failed: Record<string, number>;
}

function isHeld(checked: number, missing: number): boolean {
  return missing > Math.max(checked, MIN_SAMPLE) * MAX_MISSING_SHARE;
}

/**
 * Checks that the CDN bucket contains the photos of live listings and projects, which keep lost photos. On request,
 * fetches lost photos again.
 * @throws StoreError if the store is unavailable, Error if the bucket is missing or rejects the credentials
 */
export async function verifyPhotos(context: VerifyContext, request: VerifyRequest): Promise<VerifyReport> {
  const report: VerifyReport = { checked: 0, missing: 0, held: false, restored: 0, replaced: 0, failed: {} };
  const { now: begun } = await sql.queryOne(context.pool, { now: sql.timestamp }, 'select now() as now');
  for (const table of OWNER_TABLES) await findLost(context, table, request, report);
  report.held = isHeld(report.checked, report.missing);
  if (request.repair && report.missing > 0 && (!report.held || request.confirmLoss))
    await repair(context, begun, report);
  return report;
}

type ShownPhotos = sql.RowOf<typeof SHOWN_PHOTOS>;
const SHOWN_PHOTOS = { id: sql.integer, photos: sql.text };

/** Records a table's missing keys, and deletes the records of keys that exist again. */
async function findLost(
  context: VerifyContext,
  table: OwnerTable,
  { scope }: VerifyRequest,
  report: VerifyReport,
): Promise<void> {
  const { pool, signal, onProgress } = context;
  const live = `from ${table} where withdrawn_at is null and photos <> ''`;
  const read = (end: string, after: number): Promise<ShownPhotos[]> =>
    sql.queryRows(pool, SHOWN_PHOTOS, `select id, photos ${live} and id > $1 ${end}`, [after]);
  const isSample = scope === 'sample';
  const count = await sql.countRows(pool, live);
  const total = isSample ? Math.min(count, SAMPLE) : count;
  const pages = isSample
    ? chunks(await read(`order by random() limit ${SAMPLE}`, 0), PAGE)
    : pagesById(signal, (after) => read(`order by id limit ${PAGE}`, after));
  let done = 0;
  for await (const owners of pages) {
    await checkOwners(context, table, owners, report);
    done += owners.length;
    onProgress?.({ stage: 'verify', done, total });
  }
}

async function checkOwners(
  { pool, s3, photos: { bucket }, signal }: VerifyContext,
  table: OwnerTable,
  owners: readonly ShownPhotos[],
  report: VerifyReport,
): Promise<void> {
  const keys = [...new Set(owners.flatMap(({ photos }) => photos.split(' ')))];
  const lost = new Set<string>();
  await forAll(LOOKUPS, keys, signal, async (key) => {
    if (await isMissing(s3, bucket, key, signal)) lost.add(key);
  });
  report.checked += keys.length;
  report.missing += lost.size;
  const rows = owners.flatMap(({ id, photos }) =>
    photos.split(' ').flatMap((key) => (lost.has(key) ? [{ owner_id: id, key }] : [])),
  );
  await pool.query(
    `with found as (select owner_id, key from jsonb_to_recordset($2) as f (owner_id bigint, key text)),
       stored as (
         delete from lost_photos l where owner = $1 and owner_id = any ($3)
            and not exists (select from found f where f.owner_id = l.owner_id and f.key = l.key))
     insert into lost_photos (owner, owner_id, key) select distinct $1, owner_id, key from found
     on conflict (owner, owner_id, key) do update set found_at = now()`,
    [table, JSON.stringify(rows), owners.map(({ id }) => id)],
  );
}

interface LostPhoto extends Owner {
  key: string;
  /** Stored keys by URL of the owner's photos. */
  stored: ReadonlyMap<string, string>;
}

const LOST_OF_OWNER = { id: sql.integer, keys: sql.listOf(sql.text) };

/** Fetches again the photos recorded as missing since a time. */
async function repair(context: VerifyContext, since: Date, report: VerifyReport): Promise<void> {
  const { pool, photos: options, signal, onProgress } = context;
  const downloader = createDownloader(options);
  const select = `
    select owner_id as id, array_agg(key) as keys from lost_photos
     where owner = $1 and found_at >= $2 and owner_id > $3 group by 1 order by 1 limit ${PAGE}`;
  let done = 0;
  try {
    for (const owner of OWNER_TABLES)
      for await (const owners of pagesById(signal, (after) =>
        sql.queryRows(pool, LOST_OF_OWNER, select, [owner, since, after]),
      )) {
        const ids = owners.map(({ id }) => id);
        const stored = await readStored(pool, owner, ids);
        const lost = owners.flatMap(({ id, keys }) =>
          keys.map((key): LostPhoto => ({ owner, owner_id: id, key, stored: stored.get(id) ?? new Map() })),
        );
        // Listings may share a photo.
        const copies = new Map<string, Promise<CopyOutcome>>();
        await forAll(options.concurrency, lost, signal, async (photo) => {
          const outcome = await repairOne(context, downloader, copies, photo);
          if (outcome === 'restored' || outcome === 'replaced') report[outcome] += 1;
          else if (outcome !== 'present') report.failed[outcome] = (report.failed[outcome] ?? 0) + 1;
          done += 1;
          onProgress?.({ stage: 'repair', done, total: Math.max(report.missing, done) });
        });
      }
  } finally {
    await downloader.close();
  }
}

async function readStored(
  pool: pg.Pool,
  table: OwnerTable,
  ids: readonly number[],
): Promise<Map<number, Map<string, string>>> {
  const owners = await readOwners(pool, table, 'where l.id = any ($1)', [ids]);
  const rows = await sql.queryRows(
    pool,
    { hash: sql.text, key: sql.text },
    `select url_hash as hash, key from photos where url_hash = any ($1) and status = 'stored'`,
    [[...new Set(owners.flatMap(({ urls }) => urls.map(urlHash)))]],
  );
  const keys = new Map(rows.map(({ hash, key }) => [hash, key]));
  const keyed = (url: string): [string, string][] => {
    const key = keys.get(urlHash(url));
    return key === undefined ? [] : [[url, key]];
  };
  return new Map(owners.map(({ id, urls }) => [id, new Map(urls.flatMap(keyed))]));
}

/** @returns `restored`, `replaced`, `present` if the photo was already stored again, or the reason for a failure */
async function repairOne(
  context: VerifyContext,
  downloader: Downloader,
  copies: Map<string, Promise<CopyOutcome>>,
  lost: LostPhoto,
): Promise<string> {
  const { pool, s3, photos: options, signal } = context;
  const url = [...lost.stored].find(([, key]) => key === lost.key)?.[0];
  if (url === undefined) {
    // The URL returns a different image, or the list has changed. The next run shows the stored images.
    for (const key of lost.stored.values())
      if (!(await isMissing(s3, options.bucket, key, signal))) return settle(pool, lost, 'replaced');
    return settle(pool, lost, 'no_address');
  }
  const first = !copies.has(lost.key);
  const copy = copies.get(lost.key) ?? copyPhoto(context, downloader, url);
  copies.set(lost.key, copy);
  const outcome = await copy;
  if (!('key' in outcome)) return settle(pool, lost, 'error' in outcome ? outcome.error : 'unchanged');
  if (outcome.key === lost.key) return settle(pool, lost, first ? 'restored' : 'present');
  await recordImages(pool, [outcome]);
  const { key, small, validators } = outcome;
  await pool.query(
    `update photos set key = $2, small = $3, etag = $4, last_modified = $5 where url_hash = $1 and status = 'stored'`,
    [urlHash(url), key, small, validators.etag, validators.lastModified],
  );
  return settle(pool, lost, 'replaced');
}

/** Records the outcome. A photo that could not be fetched remains recorded as lost. */
async function settle(pool: pg.Pool, { owner, owner_id, key }: LostPhoto, outcome: string): Promise<string> {
  const which = [owner, owner_id, key];
  const isDone = outcome === 'restored' || outcome === 'replaced' || outcome === 'present';
  // The next run reads the stored keys of the owner's URLs.
  if (outcome === 'replaced') await pool.query(`update ${owner} set photos_pending = 1 where id = $1`, [owner_id]);
  if (isDone) await pool.query('delete from lost_photos where (owner, owner_id, key) = ($1, $2, $3)', which);
  else
    await pool.query(
      'update lost_photos set tried_at = now(), error = $4 where (owner, owner_id, key) = ($1, $2, $3)',
      [...which, outcome],
    );
  return outcome;
}

/** Throws a failure once the running items have ended. */
async function forAll<T>(
  concurrency: number,
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency });
  try {
    await queue.addAll(
      items.map((item) => () => work(item)),
      { signal },
    );
  } finally {
    queue.clear();
    await queue.onIdle();
  }
}
