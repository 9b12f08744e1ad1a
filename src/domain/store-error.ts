import { errors } from '@opensearch-project/opensearch';

/** A store that did not answer as it should: away (not reachable, starting, overloaded) or too slow. */
export class StoreError extends Error {
  readonly store: 'opensearch' | 'postgres' | 's3';
  /** Whether the store is known to be away, so that a client should wait and come back. */
  readonly away: boolean;

  constructor(store: StoreError['store'], away: boolean, cause: unknown) {
    super(`${store} ${away ? 'is away' : 'failed'}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'StoreError';
    this.store = store;
    this.away = away;
  }
}

const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  // Postgres: shutting down, crash recovery, starting up, too many connections
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return error.errors.map(codeOf).find((code) => code !== undefined);
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}

/** Translates what a Postgres call threw. */
export function postgresFailure(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : '';
  const away =
    AWAY_CODES.has(codeOf(error) ?? '') ||
    message.includes('timeout exceeded when trying to connect') ||
    message.includes('Connection terminated');
  return new StoreError('postgres', away, error);
}

/** Translates what an OpenSearch call threw. */
export function openSearchFailure(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const away =
    error instanceof errors.ConnectionError ||
    error instanceof errors.NoLivingConnectionsError ||
    (error instanceof errors.ResponseError && (error.statusCode === 429 || error.statusCode === 503)) ||
    AWAY_CODES.has(codeOf(error) ?? '');
  return new StoreError('opensearch', away, error);
}
