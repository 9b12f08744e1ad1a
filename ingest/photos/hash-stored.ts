import { GetObjectCommand, NoSuchKey, type S3Client } from '@aws-sdk/client-s3';
import PQueue from 'p-queue';
import type pg from 'pg';
import * as sql from '#postgres/rows.ts';
import { s3Failure } from '#s3/failures.ts';
import type { RunContext } from '../run/context.ts';
import { decodeImage } from './decode.ts';
import { readImageKind } from './image.ts';
import { type PhotoImage, recordImages } from './images.ts';
import { showing } from './owners.ts';
import { perceptualHash } from './phash.ts';

/** Maximum number of photos that are hashed per run; the next run continues. */
const MAX_IN_RUN = 20_000;
/** Number of photos per database update. */
const CHUNK = 2_000;
const READERS = 4;
/** Timeout in milliseconds for reading one photo. */
const READ_LIMIT = 30_000;

/**
 * Hashes photos that an earlier release stored without hashes. The identity stage of this run then compares the
 * listings that show them. Each run looks for photos without a hash, so an interruption loses at most one chunk.
 * @returns number of hashed photos
 * @throws StoreError if the bucket is unavailable
 */
export async function hashStored({ run, pool, writer, s3, photos, signal }: RunContext): Promise<number> {
  let hashed = 0;
  for (let after = ''; hashed < MAX_IN_RUN; ) {
    signal.throwIfAborted();
    const rows = await sql.queryRows(
      pool,
      { key: sql.text },
      `select distinct key from photos p
        where status = 'stored' and key > $1 and not exists (select from photo_images i where i.key = p.key)
        order by key limit ${CHUNK}`,
      [after],
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.key;
    const images = await readImages(s3, photos.bucket, rows, signal);
    await writer.transaction(async (client) => {
      const changed = await recordImages(client, images);
      if (changed.length > 0) await compareAgain(client, run.id, changed);
    });
    hashed += images.length;
  }
  return hashed;
}

/** Returns images with hashes for the keys that exist in the bucket. */
async function readImages(
  s3: S3Client,
  bucket: string,
  rows: readonly { key: string }[],
  signal: AbortSignal,
): Promise<PhotoImage[]> {
  const queue = new PQueue({ concurrency: READERS });
  const images = await Promise.all(
    rows.map(({ key }) =>
      queue.add(async () => {
        signal.throwIfAborted();
        const bytes = await readObject(s3, bucket, key, signal);
        return bytes === null ? [] : [{ key, phash: await hashOf(bytes) }];
      }),
    ),
  );
  return images.flat();
}

async function readObject(s3: S3Client, bucket: string, key: string, signal: AbortSignal): Promise<Uint8Array | null> {
  const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(READ_LIMIT)]);
  try {
    const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }), { abortSignal });
    return (await body?.transformToByteArray()) ?? null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NoSuchKey) return null;
    throw s3Failure(error);
  }
}

/** Returns the perceptual hash; null for an undecodable image, which then does not identify a property. */
async function hashOf(bytes: Uint8Array): Promise<bigint | null> {
  try {
    return perceptualHash((await decodeImage(bytes, readImageKind(bytes))).raster);
  } catch {
    return null;
  }
}

/** Marks the listings that show these photos for comparison in the identity stage. Their documents do not change. */
async function compareAgain(client: pg.ClientBase, run: number, keys: readonly string[]): Promise<void> {
  await client.query(
    `update listings set content_run = $1 where id in (${showing('listings', 'unnest($2::text[]) as changed (key)')})`,
    [run, keys],
  );
}
