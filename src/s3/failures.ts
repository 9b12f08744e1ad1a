import { isUnavailable, StoreError } from '#domain/store-error.ts';

/** Errors by which an S3 server or its client says that it is overloaded or did not respond in time. */
const UNAVAILABLE = new Set([
  'TimeoutError',
  'AbortError',
  'RequestTimeout',
  'SlowDown',
  'ServiceUnavailable',
  'Throttling',
]);

/** Translates an error of an S3 call. The caller has checked that it did not abort the call itself. */
export function s3Failure(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('s3', isUnavailable(error) || UNAVAILABLE.has(nameOf(error)) || statusOf(error) >= 500, error);
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** The HTTP status of the response that an S3 call failed with; 0 without one. */
export function statusOf(error: unknown): number {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? 0;
}
