import { messageOf } from './message-of.ts';
/** `unavailable`: unreachable, starting, overloaded or timed out. Clients should retry later. */
export class StoreError extends Error {
  readonly store: 'opensearch' | 'postgres' | 's3';
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

/** Codes of connection errors, and of exhausted local descriptors, buffers or ports. */
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

export const isUnavailable = (error: unknown): boolean => UNAVAILABLE_CODES.has(codeOf(error) ?? '');
