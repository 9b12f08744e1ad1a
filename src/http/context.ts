import type { Middleware, ParameterizedContext } from 'koa';
import type { Caller } from '#metering/charge.ts';
import type { Endpoint } from './endpoint.ts';
import type { ApiError } from './errors/api-error.ts';
import type { KnownKey } from './limits/known-keys.ts';

/** Request state shared by the middleware and the logs. */
export interface RequestState {
  requestId: string;
  endpoint?: Endpoint;
  /** Address of the caller; null if its connection has ended. */
  ip?: string | null;
  /** Set as soon as the key is recognized, even if the call is refused. */
  caller?: Caller;
  /** Counters of this process for the key; set with `caller`. */
  knownKey?: KnownKey;
  /** Units charged; absent if none were charged. */
  units?: number;
  /** Error of a failed request. */
  error?: ApiError;
}

export type HttpContext = ParameterizedContext<RequestState, object>;
export type HttpMiddleware = Middleware<RequestState, object>;
