import type { Middleware, ParameterizedContext } from 'koa';
import type { Caller } from '#src/metering/charge-statement.ts';
import type { Endpoint } from './endpoint.ts';
import type { ApiError } from './errors/api-error.ts';

/** Header with the hash of a key without a secret, which only this process sends. */
export const INTERNAL_KEY = 'X-Internal-Key';

export interface InternalKey {
  keyHash: Buffer;
  /** When the person of a console key signed in, in epoch milliseconds. */
  signedInAt?: number | undefined;
}

export interface RequestState {
  requestId: string;
  /** The request of a page of this process, for a visitor. */
  isSite?: boolean;
  /** Whether the person of a page is signed in, once the page has read its session. */
  isSignedIn?: boolean;
  /** The request of this process for a key without a secret. */
  internalKey?: InternalKey;
  endpoint?: Endpoint;
  /** Null if the connection has ended, or if a trusted proxy stated no address. */
  ip?: string | null;
  /** Set even if the call is refused. */
  caller?: Caller;
  /** In the limits of this process; set together with `caller`. */
  keyName?: string;
  /** Charged units, 0 for free calls; absent for failed calls and calls without a data key. */
  units?: number;
  /** Milliseconds for which the call waited for changes. */
  waitedMs?: number;
  error?: ApiError;
}

export type HttpContext = ParameterizedContext<RequestState, object>;
export type HttpMiddleware = Middleware<RequestState, object>;
