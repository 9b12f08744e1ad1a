import { hash } from 'node:crypto';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { AddressError } from '#stores/outbound/address.ts';
import { bucketFailure } from '#stores/s3/s3-failures.ts';
import { photoKey } from '../hash.ts';
import type { PhotoOptions } from '../run/photo-options.ts';
import { decodeImage, UnusableImageError } from './decode-image.ts';
import { type Downloader, type FetchedPhoto, UnresponsiveHostError, type Validators } from './download.ts';
import type { PhotoImage } from './images.ts';
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
  small: boolean;
  validators: Validators;
}

/** A `final` failure is not retried. Without a request, a failure is no attempt. */
interface PhotoFailure {
  error: string;
  retry: 'final' | 'attempt' | 'not_attempted';
}

/** The outcome of a photo that the time of the stage did not last for. */
export const LEFT_FOR_LATER: PhotoFailure = { error: 'left_for_later', retry: 'not_attempted' };

/** A photo that was stored, a failure, or the validators of an unchanged photo. */
export type CopyOutcome = (PhotoImage & StoredPhoto) | PhotoFailure | { unchanged: Validators };

/**
 * Fetches a photo, decodes it, and stores it without its metadata in the bucket.
 * @param stored the stored photo, for a conditional request; equal bytes are neither decoded nor stored again
 * @throws StoreError or Error if the bucket cannot be written, which is no failure of the photo
 */
export async function copyPhoto(
  context: CopyContext,
  downloader: Downloader,
  url: string,
  stored: StoredPhoto | null = null,
): Promise<CopyOutcome> {
  const { signal } = context;
  let photo: PhotoImage & StoredPhoto;
  let bytes: Buffer;
  let extension: string;
  try {
    signal.throwIfAborted();
    const fetched = await downloader.get(url, signal, stored?.validators);
    if (stored !== null && fetched === null) return { unchanged: stored.validators };
    const { validators, bytes: source } = fetched as FetchedPhoto;
    // A digest of the bytes of the source, so that equal ones need not be decoded to be recognized.
    const digest = hash('sha256', source, 'hex');
    if (stored?.key.startsWith(photoKey(digest, ''))) return { unchanged: validators };
    const image = await decodeImage(source);
    ({ bytes, extension } = image);
    photo = { key: photoKey(digest, extension), phash: perceptualHash(image.raster), small: image.small, validators };
  } catch (error) {
    signal.throwIfAborted();
    const isFinal = error instanceof AddressError || error instanceof UnusableImageError;
    const isUnattempted = error instanceof UnresponsiveHostError;
    return { error: reasonOf(error), retry: isFinal ? 'final' : isUnattempted ? 'not_attempted' : 'attempt' };
  }
  await putPhoto(context, photo.key, extension, bytes);
  return photo;
}

async function putPhoto(context: CopyContext, key: string, extension: string, bytes: Buffer): Promise<void> {
  const { s3, photos, signal } = context;
  const put = new PutObjectCommand({
    Bucket: photos.bucket,
    Key: key,
    Body: bytes,
    ContentType: `image/${extension === 'jpg' ? 'jpeg' : extension}`,
    CacheControl: 'public, max-age=31536000, immutable',
  });
  try {
    // Photos of equal keys have equal pixels, so an existing photo can be overwritten.
    await s3.send(put, { abortSignal: AbortSignal.any([signal, AbortSignal.timeout(PUT_LIMIT)]) });
  } catch (error) {
    signal.throwIfAborted();
    throw bucketFailure(error, photos.bucket);
  }
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
