import { isUnavailable, StoreError } from '#domain/store-error.ts';

/** Names of errors with which an S3 server or its client reports overload or a timeout. */
const UNAVAILABLE = new Set([
  'TimeoutError',
  'AbortError',
  'RequestTimeout',
  'SlowDown',
  'ServiceUnavailable',
  'Throttling',
]);

/** Converts an error of an S3 call to a StoreError. The caller must have checked that it did not abort the call itself. */
export function s3Failure(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('s3', isUnavailable(error) || UNAVAILABLE.has(nameOf(error)) || statusOf(error) >= 500, error);
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** Returns the HTTP status of a failed S3 call. 0 if there was no response. */
export function statusOf(error: unknown): number {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? 0;
}
