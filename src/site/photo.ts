import { Readable } from 'node:stream';
import { GetObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import type { Context } from 'koa';
import { ApiError } from '#domain/errors.ts';
import { StoreError } from '#domain/store-error.ts';
import type { Services } from '#src/services.ts';

/** Streams a photo out of the CDN bucket. In production a CDN in front of the bucket does this. */
export async function servePhoto(context: Context, services: Services, key: string): Promise<void> {
  // An S3 server that resolves dots would read outside of the bucket, with our credentials.
  if (key.split('/').some((segment) => /^\.*$/.test(segment))) throw new ApiError('not_found');
  try {
    const object = await services.s3.send(new GetObjectCommand({ Bucket: services.config.s3.cdnBucket, Key: key }), {
      abortSignal: AbortSignal.timeout(5_000),
    });
    if (!(object.Body instanceof Readable)) throw new Error('the object has no body');
    context.set('Content-Type', object.ContentType ?? 'application/octet-stream');
    context.set('Cache-Control', 'public, max-age=31536000, immutable');
    context.set('X-Content-Type-Options', 'nosniff');
    if (object.ContentLength !== undefined) context.length = object.ContentLength;
    context.body = object.Body;
  } catch (error) {
    if (error instanceof NoSuchKey) throw new ApiError('not_found');
    throw new StoreError('s3', true, error);
  }
}
