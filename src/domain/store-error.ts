import { messageOf } from './message-of.ts';
/** A store that did not answer as it should: it is away (not reachable, starting, overloaded, too slow), or it failed. */
export class StoreError extends Error {
  readonly store: 'opensearch' | 'postgres' | 's3';
  /** Whether the store is known to be away, so that a client should wait and come back. */
  readonly away: boolean;

  constructor(store: StoreError['store'], away: boolean, cause: unknown) {
    super(`${store} ${away ? 'is away' : 'failed'}: ${messageOf(cause)}`, {
      cause,
    });
    this.name = 'StoreError';
    this.store = store;
    this.away = away;
  }
}

/**
 * Codes of Node and of undici that say that the other side cannot be reached, or did not respond in time: also because
 * this process or its machine has no descriptor, buffer or port left for a connection.
 */
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'EADDRNOTAVAIL',
]);

export function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return error.errors.map(codeOf).find((code) => code !== undefined);
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}

/** Whether a call failed because the other side could not be reached, or a file not be opened for want of descriptors. */
export const isUnavailable = (error: unknown): boolean => AWAY_CODES.has(codeOf(error) ?? '');
