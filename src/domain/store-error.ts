import { messageOf } from './message-of.ts';
/**
 * A datastore call that failed: the store is unavailable (unreachable, starting, overloaded, timed out), or refused the call.
 */
export class StoreError extends Error {
  readonly store: 'opensearch' | 'postgres' | 's3';
  /** Whether the store is unavailable, so that clients should retry later. */
  readonly unavailable: boolean;

  constructor(store: StoreError['store'], unavailable: boolean, cause: unknown) {
    super(`${store} ${unavailable ? 'is unavailable' : 'failed'}: ${messageOf(cause)}`, {
      cause,
    });
    this.name = 'StoreError';
    this.store = store;
    this.unavailable = unavailable;
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
