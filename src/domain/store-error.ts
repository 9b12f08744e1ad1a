import { messageOf } from './message-of.ts';
/**
 * A failed datastore call: the datastore is unavailable (unreachable, starting, overloaded, timed out), or rejected the
 * call.
 */
export class StoreError extends Error {
  readonly store: 'opensearch' | 'postgres' | 's3';
  /** Whether the datastore is unavailable, so that clients should retry later. */
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
 * Error codes in Node and undici for an unreachable or unresponsive peer, including local exhaustion of descriptors,
 * buffers or ports.
 */
const UNAVAILABLE_CODES = new Set([
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

/** Returns whether the peer was unreachable or unresponsive, or a local resource such as descriptors was exhausted. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE_CODES.has(codeOf(error) ?? '');
