import { codeOf, StoreError } from '#domain/store-error.ts';
import { isPostgresUnavailable, postgresFailure } from '#postgres/failures.ts';
import { BulkError } from '#search/bulk.ts';
import { openSearchFailure } from '#search/failures.ts';

/**
 * Error code of a statement that exceeded its timeout, which is several minutes in a run. A retry would take as long.
 */
const STATEMENT_CANCELLED = '57014';

/**
 * Returns the unavailable datastore that caused a run to fail. Null for other errors, which would recur on a retry.
 * Feed and photo hosts are excluded, because a run continues without them.
 */
export function outageOf(error: unknown): StoreError | null {
  if (error instanceof StoreError) return error.unavailable ? error : null;
  if (error instanceof BulkError) return outageOf(error.cause);
  const openSearch = openSearchFailure(error);
  if (openSearch.unavailable && !isPostgresUnavailable(error)) return openSearch;
  if (isPostgresUnavailable(error) && codeOf(error) !== STATEMENT_CANCELLED) return postgresFailure(error);
  return null;
}
