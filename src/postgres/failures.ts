import { codeOf, isUnavailable, StoreError } from '#domain/store-error.ts';

/**
 * Shutting down, crash recovery, starting up, too many connections; a statement or a lock that took too long; read-only, as
 * a standby is until it is promoted; a full disk.
 */
const AWAY_STATES = new Set(['57P01', '57P02', '57P03', '53300', '57014', '55P03', '25P03', '25006', '53100']);

/** Messages of driver errors without a code. */
const AWAY_MESSAGES = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Query read timeout',
];

/** Returns whether an error of a Postgres call means that Postgres is unavailable or timed out. */
export function isPostgresUnavailable(error: unknown): boolean {
  const message = error instanceof Error ? error.message : '';
  return (
    isUnavailable(error) || AWAY_STATES.has(codeOf(error) ?? '') || AWAY_MESSAGES.some((text) => message.includes(text))
  );
}

/** Whether an error says that any store cannot be reached, or did not respond in time. */
export const isStoreUnavailable = (error: unknown): boolean =>
  error instanceof StoreError ? error.unavailable : isPostgresUnavailable(error);

/** Translates an error of a Postgres call. */
export function postgresFailure(error: unknown): StoreError {
  return error instanceof StoreError ? error : new StoreError('postgres', isPostgresUnavailable(error), error);
}
