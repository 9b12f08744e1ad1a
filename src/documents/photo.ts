import { addAbortSignal, Readable } from 'node:stream';
import { GetObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import type { Context } from 'koa';
import { StoreError } from '#domain/store-error.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import type { Services } from '#src/services.ts';

/** Timeouts in milliseconds. */
export interface PhotoLimits {
  /** Until the first byte. */
  begin: number;
  /** For the whole photo, because a slow client occupies a connection to the bucket. */
  whole: number;
}

const LIMITS: PhotoLimits = { begin: 5_000, whole: 60_000 };

type Bucket = Pick<Services, 's3' | 'config'>;

const getPhoto = ({ s3, config }: Bucket, key: string, abortSignal: AbortSignal) =>
  s3.send(new GetObjectCommand({ Bucket: config.s3.cdnBucket, Key: key }), { abortSignal });

/** In production, a CDN does this. */
export async function servePhoto(context: Context, bucket: Bucket, key: string, limits = LIMITS): Promise<void> {
  // An S3 server that resolves dots would read outside the bucket, with the service's credentials.
  if (key.split('/').some((segment) => /^\.*$/.test(segment))) throw new ApiError('not_found');
  // `AbortSignal.timeout` would remain active after the headers and truncate the photo.
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limits.begin);
  try {
    const object = await getPhoto(bucket, key, abort.signal);
    if (!(object.Body instanceof Readable)) throw new Error('the object has no body');
    context.set('Content-Type', object.ContentType ?? 'application/octet-stream');
    context.set('Cache-Control', 'public, max-age=31536000, immutable');
    if (object.ContentLength !== undefined) context.length = object.ContentLength;
    context.body = addAbortSignal(AbortSignal.timeout(limits.whole), object.Body);
  } catch (error) {
    if (error instanceof NoSuchKey) throw new ApiError('not_found');
    throw new StoreError('s3', true, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Null if the photo cannot be read. */
export async function readPhoto(bucket: Bucket, key: string): Promise<Uint8Array | null> {
  try {
    const object = await getPhoto(bucket, key, AbortSignal.timeout(LIMITS.begin));
    return (await object.Body?.transformToByteArray()) ?? null;
  } catch {
    return null;
  }
}
