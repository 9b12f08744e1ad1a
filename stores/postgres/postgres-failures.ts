import { codeOf, isUnavailable, StoreError } from '#domain/store-error.ts';

/**
 * SQLSTATE codes that count as unavailable: the server is starting, shutting down, recovering or read-only, or has too
 * many connections or a full disk; or a timeout. PgBouncer reports all of these as `08P01`.
 */
const UNAVAILABLE_SQLSTATES = new Set([
  '08P01',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '57014',
  '55P03',
  '25P03',
  '25006',
  '53100',
]);

/** Messages of driver errors that have no code. */
const UNAVAILABLE_MESSAGES = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Query read timeout',
];

export function isPostgresUnavailable(error: unknown): boolean {
  const message = error instanceof Error ? error.message : '';
  return (
    isUnavailable(error) ||
    UNAVAILABLE_SQLSTATES.has(codeOf(error) ?? '') ||
    UNAVAILABLE_MESSAGES.some((text) => message.includes(text))
  );
}

/** Returns whether any datastore is unreachable or timed out. */
export const isStoreUnavailable = (error: unknown): boolean =>
  error instanceof StoreError ? error.unavailable : isPostgresUnavailable(error);

export function postgresFailure(error: unknown): StoreError {
  return error instanceof StoreError ? error : new StoreError('postgres', isPostgresUnavailable(error), error);
}
