import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';

const REQUEST_LIMIT = 30_000;

/** Deletes one object after another, because not every S3 server deletes several. Missing objects are no error. */
export async function deleteObjects(
  s3: S3Client,
  bucket: string,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  for (const key of keys) {
    signal?.throwIfAborted();
    const abortSignal = AbortSignal.timeout(REQUEST_LIMIT);
    await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }), { abortSignal });
  }
}
