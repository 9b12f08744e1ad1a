import type { Middleware, ParameterizedContext } from 'koa';
import type { ApiError } from '#domain/errors.ts';
import type { Caller } from '#metering/charge.ts';
import type { Endpoint } from './endpoint.ts';
import type { KnownKey } from './limits/known-keys.ts';

/** What the steps of a request leave for those that come after, and for the logs. */
export interface RequestState {
  requestId: string;
  endpoint?: Endpoint;
  /** The caller's address; null when its connection has ended. */
  ip?: string | null;
  /** Set as soon as the key is known, also where the call is refused. */
  caller?: Caller;
  /** What this process counts of the key; set with `caller`. */
  knownKey?: KnownKey;
  /** Units that the call cost; absent where it cost none. */
  units?: number;
  /** What the request failed with. */
  error?: ApiError;
}

export type HttpContext = ParameterizedContext<RequestState, object>;
export type HttpMiddleware = Middleware<RequestState, object>;
