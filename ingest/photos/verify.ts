import type { S3Client } from '@aws-sdk/client-s3';
import PQueue from 'p-queue';
import type pg from 'pg';
import * as sql from '#postgres/rows.ts';
import { isMissing } from '#s3/failures.ts';
import type { PhotoOptions } from '../run/photo-options.ts';
import { type CopyOutcome, copyPhoto } from './copy.ts';
import { createDownloader, type Downloader } from './download.ts';
import { recordImages } from './images.ts';
import { urlHash } from './keys.ts';
import { OWNER, OWNER_TABLES, type OwnerTable, ownerKey, readAddresses } from './owners.ts';

const PAGE = 500;
const LOOKUPS = 32;
/** Number of id windows in a sample of listings or projects, and rows per window. Windows start at random ids. */
const SAMPLE_WINDOWS = 20;
const SAMPLE_WINDOW = 50;
/** Maximum share of missing photos. A larger share indicates a wrong bucket or setting rather than lost photos. */
const MAX_MISSING_SHARE = 0.01;
/** Minimum number of keys to which the share is applied, so that a few lost photos in a small sample are accepted. */
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
  /** Whether to repair even if the share of missing photos indicates a wrong bucket. */
  confirmLoss?: boolean;
}

export interface VerifyReport {
  /** Number of keys that were looked up, and number of keys that the bucket confirmed as missing. */
  checked: number;
  missing: number;
  /** Whether a repair requires confirmation because many photos are missing. */
  held: boolean;
  /** Number of photos that were stored again under their original keys. */
  restored: number;
  /** Number of photos for which the source now returns a different image. The next run shows the new image. */
  replaced: number;
  /** Number of photos that could not be fetched again, by reason. */
  failed: Record<string, number>;
}

/** Returns whether the share of missing keys is so large that a wrong bucket is likelier than lost photos. */
function isHeld(checked: number, missing: number): boolean {
  return missing > Math.max(checked, MIN_SAMPLE) * MAX_MISSING_SHARE;
}

/**
 * Checks that the CDN bucket contains the photos of live listings and projects. On request, fetches lost photos again.
 * Only keys that the store confirms as missing are counted. Listings keep lost photos and are served unchanged.
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

type PhotoOwner = sql.RowOf<typeof PHOTO_OWNER>;
const PHOTO_OWNER = { id: sql.integer, photos: sql.text };

/** Records a table's missing keys, and deletes the records of keys that exist again. */
async function findLost(
  context: VerifyContext,
  table: OwnerTable,
  { scope }: VerifyRequest,
  report: VerifyReport,
): Promise<void> {
  const { pool, signal, onProgress } = context;
  const { count, least, most } = await sql.queryOne(
    pool,
    { count: sql.integer, least: sql.nullable(sql.integer), most: sql.nullable(sql.integer) },
    `select count(*) as count, min(id) as least, max(id) as most from ${table} where withdrawn_at is null and photos <> ''`,
  );
  if (least === null || most === null) return;
  const whole = scope === 'all' || count <= SAMPLE_WINDOWS * SAMPLE_WINDOW;
  const starts = whole
    ? [least - 1]
    : Array.from({ length: SAMPLE_WINDOWS }, () => least - 1 + Math.floor(Math.random() * (most - least + 1)));
  const total = whole ? count : starts.length * SAMPLE_WINDOW;
  let done = 0;
  for (const start of starts)
    for (let after = start; ; ) {
      signal.throwIfAborted();
      const owners = await readOwners(pool, table, after, whole ? PAGE : SAMPLE_WINDOW);
      const last = owners.at(-1);
      if (last === undefined) break;
      after = last.id;
      await checkOwners(context, table, owners, report);
      done += owners.length;
      onProgress?.({ stage: 'verify', done, total });
      if (!whole) break;
    }
}

const readOwners = (pool: pg.Pool, table: OwnerTable, after: number, limit: number): Promise<PhotoOwner[]> =>
  sql.queryRows(
    pool,
    PHOTO_OWNER,
    `select id, photos from ${table} where id > $1 and withdrawn_at is null and photos <> '' order by id limit $2`,
    [after, limit],
  );

async function checkOwners(
  { pool, s3, photos: { bucket }, signal }: VerifyContext,
  table: OwnerTable,
  owners: readonly PhotoOwner[],
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

type LostPhoto = sql.RowOf<typeof LOST_PHOTO>;
const LOST_PHOTO = { ...OWNER, key: sql.text };

/** Fetches again, page by page, the photos that were recorded as missing since a time. */
async function repair(context: VerifyContext, since: Date, report: VerifyReport): Promise<void> {
  const { pool, photos: options, signal, onProgress } = context;
  const downloader = createDownloader(options);
  // Listings may share a photo, which is fetched only once per page.
  const copies = new Map<string, Promise<CopyOutcome>>();
  let done = 0;
  try {
    for (let after = ['', 0, '']; ; ) {
      const rows = await sql.queryRows(
        pool,
        LOST_PHOTO,
        `select owner, owner_id, key from lost_photos where found_at >= $1 and (owner, owner_id, key) > ($2, $3, $4)
          order by owner, owner_id, key limit ${PAGE}`,
        [since, ...after],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      after = [last.owner, last.owner_id, last.key];
      const addresses = await readStored(pool, rows);
      await forAll(options.concurrency, rows, signal, async (lost) => {
        const outcome = await repairOne(context, downloader, copies, lost, addresses);
        if (outcome === 'restored' || outcome === 'replaced') report[outcome] += 1;
        else if (outcome !== 'present') report.failed[outcome] = (report.failed[outcome] ?? 0) + 1;
        done += 1;
        onProgress?.({ stage: 'repair', done, total: Math.max(report.missing, done) });
      });
      copies.clear();
    }
  } finally {
    await downloader.close();
  }
}

interface Addresses {
  urls: Map<string, string[]>;
  keys: Map<string, string>;
}

async function readStored(pool: pg.Pool, lost: readonly LostPhoto[]): Promise<Addresses> {
  const urls = await readAddresses(pool, lost);
  const hashes = [...new Set([...urls.values()].flat().map(urlHash))];
  const rows = await sql.queryRows(
    pool,
    { hash: sql.text, key: sql.text },
    `select url_hash as hash, key from photos where url_hash = any ($1) and status = 'stored'`,
    [hashes],
  );
  return { urls, keys: new Map(rows.map(({ hash, key }) => [hash, key])) };
}

/**
 * Fetches a lost photo again, and records the outcome.
 * @returns the outcome: `restored`, `replaced`, `present` if the photo was already stored again, or the reason for the
 * failure
 */
async function repairOne(
  context: VerifyContext,
  downloader: Downloader,
  copies: Map<string, Promise<CopyOutcome>>,
  lost: LostPhoto,
  { urls, keys }: Addresses,
): Promise<string> {
  const { pool, s3, photos: options, signal } = context;
  const stored = (urls.get(ownerKey(lost)) ?? []).filter((url) => keys.has(urlHash(url)));
  const url = stored.find((each) => keys.get(urlHash(each)) === lost.key);
  if (url === undefined) {
    // The URL now returns a different image, or the photo list has changed. The next run shows the stored images.
    for (const each of stored)
      if (!(await isMissing(s3, options.bucket, keys.get(urlHash(each)) ?? '', signal)))
        return settle(pool, lost, 'replaced');
    return settle(pool, lost, 'no_address');
  }
  const first = !copies.has(lost.key);
  const copy = copies.get(lost.key) ?? copyPhoto(context, downloader, url);
  copies.set(lost.key, copy);
  const outcome = await copy;
  if ('error' in outcome) return settle(pool, lost, outcome.error);
  if (outcome.key === lost.key) return settle(pool, lost, first ? 'restored' : 'present');
  await recordImages(pool, [outcome]);
  const { key, small, validators } = outcome;
  await pool.query(
    `update photos set key = $2, small = $3, etag = $4, last_modified = $5 where url_hash = $1 and status = 'stored'`,
    [urlHash(url), key, small, validators.etag, validators.lastModified],
  );
  return settle(pool, lost, 'replaced');
}

/** Records the outcome. A photo that could not be fetched remains recorded as lost, and the listing keeps it. */
async function settle(pool: pg.Pool, { owner, owner_id, key }: LostPhoto, outcome: string): Promise<string> {
  const which = [owner, owner_id, key];
  const isDone = outcome === 'restored' || outcome === 'replaced' || outcome === 'present';
  // The photos stage of the next run reads the stored keys for the owner's URLs without fetching.
  if (outcome === 'replaced') await pool.query(`update ${owner} set photos_pending = 1 where id = $1`, [owner_id]);
  if (isDone) await pool.query('delete from lost_photos where (owner, owner_id, key) = ($1, $2, $3)', which);
  else
    await pool.query(
      'update lost_photos set tried_at = now(), error = $4 where (owner, owner_id, key) = ($1, $2, $3)',
      [...which, outcome],
    );
  return outcome;
}

/** Runs `work` for all items with limited concurrency. Throws a failure once the running items have ended. */
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
