import { Readable } from 'node:stream';
import { GetObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import type { Context } from 'koa';
import { ApiError } from '#domain/errors.ts';
import { StoreError } from '#domain/store-error.ts';
import type { Services } from '#src/services.ts';

/** Milliseconds. */
export interface PhotoLimits {
  /** That the bucket may be silent: before it answers, and while more of its answer is waited for. */
  silence: number;
  /** For the whole photo: a client that reads slowly keeps a connection to the bucket. */
  whole: number;
}

const LIMITS: PhotoLimits = { silence: 5_000, whole: 60_000 };

/** Streams a photo out of the CDN bucket. In production a CDN in front of the bucket does this. */
export async function servePhoto(
  context: Context,
  { s3, config }: Pick<Services, 's3' | 'config'>,
  key: string,
  limits = LIMITS,
): Promise<void> {
  // An S3 server that resolves dots would read outside of the bucket, with our credentials.
  if (key.split('/').some((segment) => /^\.*$/.test(segment))) throw new ApiError('not_found');
  // Not `AbortSignal.timeout`: the signal outlasts the headers, and would cut the photo short.
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limits.silence);
  try {
    const object = await s3.send(new GetObjectCommand({ Bucket: config.s3.cdnBucket, Key: key }), {
      abortSignal: abort.signal,
    });
    if (!(object.Body instanceof Readable)) throw new Error('the object has no body');
    context.set('Content-Type', object.ContentType ?? 'application/octet-stream');
    context.set('Cache-Control', 'public, max-age=31536000, immutable');
    context.set('X-Content-Type-Options', 'nosniff');
    if (object.ContentLength !== undefined) context.length = object.ContentLength;
    context.body = inTime(object.Body, limits);
  } catch (error) {
    if (error instanceof NoSuchKey) throw new ApiError('not_found');
    throw new StoreError('s3', true, error);
  } finally {
    clearTimeout(timer);
  }
}

/** What is read, for as long as the limits allow. */
function inTime(source: Readable, { silence, whole }: PhotoLimits): Readable {
  const photo = Readable.from(chunksOf(source, silence));
  const giveUp = () => photo.destroy(new StoreError('s3', true, new Error('the photo was not read in time')));
  const timer = setTimeout(giveUp, whole);
  return photo.on('close', () => {
    clearTimeout(timer);
    source.destroy();
  });
}

async function* chunksOf(source: Readable, silence: number): AsyncGenerator<unknown> {
  const chunks = source[Symbol.asyncIterator]();
  for (;;) {
    const giveUp = () => source.destroy(new StoreError('s3', true, new Error('the bucket is silent')));
    const timer = setTimeout(giveUp, silence);
    const chunk = await chunks.next().finally(() => clearTimeout(timer));
    if (chunk.done) return;
    // Here it waits for the client, and the bucket is not to blame.
    yield chunk.value;
  }
}
