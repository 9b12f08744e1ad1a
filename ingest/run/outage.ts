import { codeOf, StoreError } from '#domain/store-error.ts';
import { BulkError } from '#stores/opensearch/bulk.ts';
import { openSearchFailure } from '#stores/opensearch/opensearch-client.ts';
import { isPostgresUnavailable, postgresFailure } from '#stores/postgres/postgres-failures.ts';

/** Error code of a statement that exceeded its timeout of several minutes. A retry would take as long. */
const STATEMENT_CANCELLED = '57014';

/** Returns the unavailable datastore that made a run fail; null for errors that would recur on a retry. */
export function outageOf(error: unknown): StoreError | null {
  if (error instanceof StoreError) return error.unavailable ? error : null;
  if (error instanceof BulkError) return outageOf(error.cause);
  const openSearch = openSearchFailure(error);
  if (openSearch.unavailable && !isPostgresUnavailable(error)) return openSearch;
  if (isPostgresUnavailable(error) && codeOf(error) !== STATEMENT_CANCELLED) return postgresFailure(error);
  return null;
}
