import { errors } from '@opensearch-project/opensearch';
import { isUnavailable, StoreError } from '#domain/store-error.ts';

export function openSearchFailure(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const unavailable =
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError ||
    (error instanceof errors.ResponseError && (error.statusCode === 429 || error.statusCode === 503)) ||
    isUnavailable(error);
  return new StoreError('opensearch', unavailable, error);
}
