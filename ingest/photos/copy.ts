import { createHash } from 'node:crypto';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { AddressError } from '#outbound/address.ts';
import { bucketFailure } from '#s3/failures.ts';
import type { PhotoOptions } from '../run/photo-options.ts';
import { decodeImage, UnusableImageError } from './decode.ts';
import type { Downloader, Fetched, Validators } from './download.ts';
import { readImageKind } from './image.ts';
import type { PhotoImage } from './images.ts';
import { photoKey } from './keys.ts';
import { perceptualHash } from './phash.ts';

/** Timeout in milliseconds for writing one photo. */
const PUT_LIMIT = 30_000;

export interface CopyContext {
  s3: S3Client;
  photos: Pick<PhotoOptions, 'bucket'>;
  signal: AbortSignal;
}

export interface StoredPhoto {
  key: string;
  validators: Validators;
}

/** A failure to fetch a photo. A `final` failure is permanent and is not retried. */
interface PhotoFailure {
  error: string;
  final: boolean;
}

export type CopyOutcome = (PhotoImage & StoredPhoto & { small: boolean }) | PhotoFailure;

export type CheckOutcome = CopyOutcome | { unchanged: StoredPhoto };

/**
 * Fetches a photo, decodes it, and stores it in the bucket.
 * @throws StoreError if the bucket cannot be written, or Error if it does not exist or refuses the credentials; neither
 * is a failure of the photo
 */
export async function copyPhoto(context: CopyContext, downloader: Downloader, url: string): Promise<CopyOutcome> {
  const fetched = await attempt(context, () => downloader.get(url, context.signal));
  return 'error' in fetched ? fetched : storePhoto(context, fetched);
}

/**
 * Requests a stored photo again, conditionally if the host sent a validator. Equal bytes are neither decoded nor stored
 * again.
 * @throws as `copyPhoto` does, if the bucket cannot be written
 */
export async function checkPhoto(
  context: CopyContext,
  downloader: Downloader,
  url: string,
  stored: StoredPhoto,
): Promise<CheckOutcome> {
  const fetched = await attempt(context, () => downloader.getIfModified(url, context.signal, stored.validators));
  if ('error' in fetched) return fetched;
  const { bytes, validators } = fetched;
  if (bytes === null) return { unchanged: stored };
  if (stored.key.startsWith(photoKey(contentHash(bytes), ''))) return { unchanged: { key: stored.key, validators } };
  return storePhoto(context, { bytes, validators });
}

const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Runs `work` and converts an error to a photo failure, unless the run was stopped. */
async function attempt<T>({ signal }: CopyContext, work: () => Promise<T>): Promise<T | PhotoFailure> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    return { error: reasonOf(error), final: error instanceof AddressError || error instanceof UnusableImageError };
  }
}

async function storePhoto(context: CopyContext, { bytes, validators }: Fetched): Promise<CopyOutcome> {
  const { s3, photos, signal } = context;
  const read = await attempt(context, async () => {
    const kind = readImageKind(bytes);
    return { kind, image: await decodeImage(bytes, kind) };
  });
  if ('error' in read) return read;
  const { kind, image } = read;
  const key = photoKey(contentHash(bytes), kind.extension);
  const put = new PutObjectCommand({
    Bucket: photos.bucket,
    Key: key,
    Body: bytes,
    ContentType: kind.contentType,
    CacheControl: 'public, max-age=31536000, immutable',
  });
  try {
    // Equal bytes have equal keys, so an existing photo can be overwritten without checking whether it exists.
    await s3.send(put, { abortSignal: AbortSignal.any([signal, AbortSignal.timeout(PUT_LIMIT)]) });
  } catch (error) {
    signal.throwIfAborted();
    throw bucketFailure(error, photos.bucket);
  }
  return { key, phash: perceptualHash(image.raster), small: image.small, validators };
}

/** Returns a short reason without URLs, so that equal reasons can be counted. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressError) return 'address_refused';
  if (!(error instanceof Error)) return 'unknown';
  if (/timeout/i.test(error.message)) return 'timeout';
  const code = (error as { code?: string }).code;
  if (code !== undefined) return code.toLowerCase();
  return error.message.replaceAll(/\s+/g, '_').slice(0, 60);
}
