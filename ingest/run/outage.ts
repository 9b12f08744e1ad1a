import { codeOf, StoreError } from '#domain/store-error.ts';
import { isPostgresUnavailable, postgresFailure } from '#postgres/failures.ts';
import { BulkError } from '#search/bulk.ts';
import { openSearchFailure } from '#search/failures.ts';

/** A statement ran into its limit, which is minutes long in a run. Its next execution would take as long. */
const STATEMENT_CANCELLED = '57014';

/**
 * The store that was unavailable, where that is why a run failed; null for any other error, which the run would fail with
 * again. Hosts of feeds and photos are not among them: a run goes on without them.
 */
export function outageOf(error: unknown): StoreError | null {
  if (error instanceof StoreError) return error.unavailable ? error : null;
  if (error instanceof BulkError) return outageOf(error.cause);
  const openSearch = openSearchFailure(error);
  if (openSearch.unavailable && !isPostgresUnavailable(error)) return openSearch;
  if (isPostgresUnavailable(error) && codeOf(error) !== STATEMENT_CANCELLED) return postgresFailure(error);
  return null;
}
