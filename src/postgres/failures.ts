import { codeOf, isAway, StoreError } from '#domain/store-error.ts';

/** Shutting down, crash recovery, starting up, too many connections; a statement or a lock that took too long. */
const AWAY_STATES = new Set(['57P01', '57P02', '57P03', '53300', '57014', '55P03', '25P03']);

/** What the driver says without a code. */
const AWAY_MESSAGES = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Query read timeout',
];

/** Translates what a Postgres call threw. */
export function postgresFailure(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : '';
  const away =
    isAway(error) || AWAY_STATES.has(codeOf(error) ?? '') || AWAY_MESSAGES.some((text) => message.includes(text));
  return new StoreError('postgres', away, error);
}
