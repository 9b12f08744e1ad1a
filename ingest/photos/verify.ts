import PQueue from 'p-queue';
import type pg from 'pg';
import { chunks } from '#domain/chunks.ts';
import * as sql from '#stores/postgres/rows.ts';
import { isMissing } from '#stores/s3/s3-failures.ts';
import { shortHash } from '../hash.ts';
import { pagesById } from '../postgres/pages.ts';
import type { RunContext } from '../run/run-context.ts';
import { copyPhoto } from './copy.ts';
import { createDownloader, type Downloader } from './download.ts';
import { recordImages } from './images.ts';
import { OWNER_TABLES, type OwnerTable, readOwners } from './owners.ts';

const PAGE = 500;
const LOOKUPS = 32;
/** Number of listings or projects in a sample. */
const SAMPLE = 1_000;
/** Maximum share of missing photos. A larger one indicates a wrong bucket. */
const MAX_MISSING_SHARE = 0.01;
/** Minimum number of keys to which the share applies. */
const MIN_SAMPLE = 200;

interface VerifyContext extends Pick<RunContext, 'pool' | 's3' | 'photos' | 'signal'> {
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

/**
 * Checks that the CDN bucket contains the photos of live listings and projects, which keep lost photos. On request,
 * fetches lost photos again.
 * @throws StoreError if the store is unavailable, Error if the bucket is missing or rejects the credentials
 */
export async function verifyPhotos(context: VerifyContext, request: VerifyRequest): Promise<VerifyReport> {
  const { photos, signal, onProgress } = context;
  const report: VerifyReport = { checked: 0, missing: 0, held: false, restored: 0, replaced: 0, failed: {} };
  const lost = new Map<OwnerTable, number[]>();
  for (const table of OWNER_TABLES) lost.set(table, await findLost(context, table, request, report));
  report.held = report.missing > Math.max(report.checked, MIN_SAMPLE) * MAX_MISSING_SHARE;
  if (!request.repair || (report.held && !request.confirmLoss)) return report;
  const total = [...lost.values()].flat().length;
  let done = 0;
  const downloader = createDownloader(photos);
  try {
    for (const [table, ids] of lost)
      for (const page of chunks(ids, PAGE)) {
        signal.throwIfAborted();
        await repair(context, downloader, table, page, report);
        done += page.length;
        onProgress?.({ stage: 'repair', done, total });
      }
  } finally {
    downloader.close();
  }
  return report;
}

type ListingPhotos = sql.RowOf<typeof SHOWN_PHOTOS>;
const SHOWN_PHOTOS = { id: sql.integer, photos: sql.text };

const readShown = (pool: pg.Pool, table: OwnerTable, end: string, value: unknown): Promise<ListingPhotos[]> =>
  sql.queryRows(
    pool,
    SHOWN_PHOTOS,
    `select id, photos from ${table} where withdrawn_at is null and photos <> '' and ${end}`,
    [value],
  );

const keysOf = (rows: readonly ListingPhotos[]): Set<string> =>
  new Set(rows.flatMap(({ photos }) => photos.split(' ')));

/** @returns ids of rows with missing photos */
async function findLost(
  context: VerifyContext,
  table: OwnerTable,
  { scope }: VerifyRequest,
  report: VerifyReport,
): Promise<number[]> {
  const { pool, signal, onProgress } = context;
  const count = await sql.countRows(pool, `from ${table} where withdrawn_at is null and photos <> ''`);
  const isSample = scope === 'sample';
  const total = isSample ? Math.min(count, SAMPLE) : count;
  const pages = isSample
    ? chunks(await readShown(pool, table, `id > $1 order by random() limit ${SAMPLE}`, 0), PAGE)
    : pagesById(signal, (after) => readShown(pool, table, `id > $1 order by id limit ${PAGE}`, after));
  const lost: number[] = [];
  let done = 0;
  for await (const rows of pages) {
    const keys = keysOf(rows);
    const missing = await missingOf(context, keys);
    report.checked += keys.size;
    report.missing += missing.size;
    lost.push(...rows.filter(({ photos }) => photos.split(' ').some((key) => missing.has(key))).map(({ id }) => id));
    done += rows.length;
    onProgress?.({ stage: 'verify', done, total });
  }
  return lost;
}

async function missingOf(
  { s3, photos: { bucket }, signal }: VerifyContext,
  keys: Iterable<string>,
): Promise<Set<string>> {
  const missing = new Set<string>();
  await forAll(LOOKUPS, [...keys], signal, async (key) => {
    if (await isMissing(s3, bucket, key, signal)) missing.add(key);
  });
  return missing;
}

/** Fetches the missing photos of rows again. */
async function repair(
  context: VerifyContext,
  downloader: Downloader,
  table: OwnerTable,
  ids: readonly number[],
  report: VerifyReport,
): Promise<void> {
  const { pool, photos: options, signal } = context;
  const rows = await readShown(pool, table, 'id = any ($1)', ids);
  const owners = await readOwners(pool, table, 'where l.id = any ($1)', [ids]);
  const stored = await sql.queryRows(
    pool,
    { hash: sql.text, key: sql.text },
    `select url_hash as hash, key from photos where url_hash = any ($1) and status = 'stored'`,
    [[...new Set(owners.flatMap(({ urls }) => urls.map(shortHash)))]],
  );
  const keys = new Map(stored.map(({ hash, key }) => [hash, key]));
  const known = owners
    .flatMap(({ id, urls }) => urls.map((url) => ({ id, url, key: keys.get(shortHash(url)) })))
    .filter(({ key }) => key !== undefined);
  const missing = await missingOf(context, keysOf(rows));
  await forAll(options.concurrency, [...missing], signal, async (key) => {
    const showing = rows.filter(({ photos }) => photos.split(' ').includes(key)).map(({ id }) => id);
    const url = known.find((photo) => photo.key === key)?.url;
    // Without a URL, the URL returns a different image, or the list has changed.
    const outcome =
      url !== undefined
        ? await fetchAgain(context, downloader, key, url)
        : known.some(({ id }) => showing.includes(id))
          ? 'replaced'
          : 'no_address';
    if (outcome === 'restored' || outcome === 'replaced') report[outcome] += 1;
    else report.failed[outcome] = (report.failed[outcome] ?? 0) + 1;
    // The next run shows the stored photos of these rows.
    if (outcome === 'replaced')
      await pool.query(`update ${table} set photos_pending = 1 where id = any ($1)`, [showing]);
  });
}

/** @returns `restored`, `replaced` if the URL has another image, or the reason for a failure */
async function fetchAgain(context: VerifyContext, downloader: Downloader, key: string, url: string): Promise<string> {
  const { pool } = context;
  const outcome = await downloader.schedule(url, () => copyPhoto(context, downloader, url));
  if (!('key' in outcome)) return 'error' in outcome ? outcome.error : 'unchanged';
  if (outcome.key === key) return 'restored';
  await recordImages(pool, [outcome]);
  const { small, validators } = outcome;
  await pool.query(
    `update photos set key = $2, small = $3, etag = $4, last_modified = $5 where url_hash = $1 and status = 'stored'`,
    [shortHash(url), outcome.key, small, validators.etag, validators.lastModified],
  );
  return 'replaced';
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
