import { createHash } from 'node:crypto';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { AddressError } from '#outbound/address.ts';
import { s3Failure } from '#s3/failures.ts';
import { isMissing } from '#s3/missing.ts';
import { type DecodedImage, decodeImage, UnusableImageError } from './decode.ts';
import type { Downloader } from './download.ts';
import { type ImageKind, readImageKind } from './image.ts';
import type { PhotoImage } from './images.ts';
import { photoKey } from './keys.ts';
import type { PhotoOptions } from './options.ts';
import { perceptualHash } from './phash.ts';

/** Milliseconds to write one photo. */
const PUT_LIMIT = 30_000;

export interface CopyContext {
  s3: S3Client;
  photos: Pick<PhotoOptions, 'bucket'>;
  signal: AbortSignal;
}

/** Where a photo is stored, or why it could not be fetched; a `final` reason does not pass. */
export type CopyOutcome = (PhotoImage & { small: boolean }) | { error: string; final: boolean };

/**
 * Fetches a photo, decodes it, and puts it into the bucket unless it is there.
 * @throws StoreError when the bucket cannot be written to: the photo is not at fault
 */
export async function copyPhoto(context: CopyContext, downloader: Downloader, url: string): Promise<CopyOutcome> {
  const { s3, photos, signal } = context;
  let bytes: Buffer;
  let kind: ImageKind;
  let image: DecodedImage;
  try {
    signal.throwIfAborted();
    bytes = await downloader.get(url, signal);
    kind = readImageKind(bytes);
    image = await decodeImage(bytes, kind);
  } catch (error) {
    // When the caller is told to stop, the photo is not at fault.
    signal.throwIfAborted();
    return { error: reasonOf(error), final: error instanceof AddressError || error instanceof UnusableImageError };
  }
  const key = photoKey(createHash('sha256').update(bytes).digest('hex'), kind.extension);
  const put = new PutObjectCommand({
    Bucket: photos.bucket,
    Key: key,
    Body: bytes,
    ContentType: kind.contentType,
    CacheControl: 'public, max-age=31536000, immutable',
  });
  try {
    // Equal bytes have one key, which other addresses may have.
    if (await isMissing(s3, photos.bucket, key, signal))
      await s3.send(put, { abortSignal: AbortSignal.any([signal, AbortSignal.timeout(PUT_LIMIT)]) });
  } catch (error) {
    signal.throwIfAborted();
    throw s3Failure(error);
  }
  return { key, phash: perceptualHash(image.raster), small: image.small };
}

/** Short and without addresses, so that reasons can be counted. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressError) return 'address_refused';
  if (!(error instanceof Error)) return 'unknown';
  if (/timeout/i.test(error.message)) return 'timeout';
  const code = (error as { code?: string }).code;
  if (code !== undefined) return code.toLowerCase();
  return error.message.replaceAll(/\s+/g, '_').slice(0, 60);
}
