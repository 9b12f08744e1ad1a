import { GetObjectCommand, HeadBucketCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { isUnavailable, StoreError } from '#domain/store-error.ts';

/** Error names that an S3 server or client uses for overload or timeouts. */
const UNAVAILABLE = new Set([
  'TimeoutError',
  'AbortError',
  'RequestTimeout',
  'SlowDown',
  'ServiceUnavailable',
  'Throttling',
]);

/** Check first that the caller did not abort the call. */
function s3Failure(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('s3', isUnavailable(error) || UNAVAILABLE.has(nameOf(error)) || statusOf(error) >= 500, error);
}

/** A missing bucket and refused credentials are configuration errors. */
export function bucketFailure(error: unknown, bucket: string): Error {
  const status = statusOf(error);
  if (nameOf(error) === 'NoSuchBucket')
    return new Error(`The bucket ${bucket} does not exist. Check CDN_BUCKET and S3_ENDPOINT.`, { cause: error });
  if (status === 401 || status === 403)
    return new Error(`The bucket ${bucket} refuses the credentials (${status}).`, { cause: error });
  return s3Failure(error);
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** Returns 0 if there was no response. */
function statusOf(error: unknown): number {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? 0;
}

/** Returns true also if the store refuses the request. */
export async function isReachable(s3: S3Client, bucket: string, timeoutMs: number): Promise<boolean> {
  try {
    await s3.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch (error) {
    const status = statusOf(error);
    return status > 0 && status < 500;
  }
}

/** Request timeout in milliseconds. */
const REQUEST_LIMIT = 10_000;

/**
 * Returns whether an object is missing from an existing bucket. A HEAD request returns the same 404 for a missing
 * bucket; only the error code of a GET request distinguishes them.
 * @throws StoreError; Error if the bucket does not exist or refuses the credentials
 */
export async function isMissing(s3: S3Client, bucket: string, key: string, signal: AbortSignal): Promise<boolean> {
  const object = { Bucket: bucket, Key: key };
  const limit = () => ({ abortSignal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_LIMIT)]) });
  try {
    await s3.send(new HeadObjectCommand(object), limit());
    return false;
  } catch (error) {
    signal.throwIfAborted();
    if (statusOf(error) !== 404) throw bucketFailure(error, bucket);
  }
  try {
    const { Body: body } = await s3.send(new GetObjectCommand({ ...object, Range: 'bytes=0-0' }), limit());
    // The object was uploaded after the HEAD request.
    (body as { destroy?: () => void } | undefined)?.destroy?.();
    return false;
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof Error ? error.name : '';
    if (statusOf(error) === 404 && code === 'NoSuchKey') return true;
    // A range request for the first byte of an empty object returns 416.
    if (statusOf(error) === 416) return false;
    throw bucketFailure(error, bucket);
  }
}
