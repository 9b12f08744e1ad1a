import { GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { bucketFailure, statusOf } from './failures.ts';

/** Request timeout in milliseconds. */
const REQUEST_LIMIT = 10_000;

/**
 * Returns whether an object is missing from an existing bucket. A HEAD request cannot determine this: the response has
 * no body, so a missing object and a missing bucket result in the same 404. Only the error code of a GET request
 * distinguishes them.
 * @throws StoreError if a request fails; Error if the bucket does not exist or refuses the credentials
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
