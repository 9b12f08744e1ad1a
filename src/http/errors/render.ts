import type { Logger } from 'pino';
import { RequestError } from '#domain/errors.ts';
import { OVERLOAD } from '#domain/read-queues.ts';
import { isStoreUnavailable } from '#stores/postgres/postgres-failures.ts';
import { discardBody } from '../body/discard.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { ApiError, errorBody } from './api-error.ts';

const RETRY_AFTER_UNAVAILABLE_S = 5;

export function renderFailures(logger: Logger, docsUrl: string): HttpMiddleware {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      const known = settleFailure(logger, context, error);
      context.set('Content-Type', 'application/json; charset=utf-8');
      context.body = JSON.stringify(errorBody(known, context.state.requestId, docsUrl));
      discardBody(context.req);
    }
  };
}

/** Sets status and headers without a body. */
export function settleFailure(logger: Logger, context: HttpContext, error: unknown): ApiError {
  const known = toApiError(error);
  // A log line for each overload refusal would add to the load.
  if (known.status >= 500 && known !== OVERLOADED)
    logger.error({ err: known.cause ?? known, request_id: context.state.requestId }, 'request failed');
  context.status = known.status;
  context.set(known.headers);
  context.state.error = known;
  return known;
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error === OVERLOAD) return OVERLOADED;
  if (error instanceof RequestError) return ofRequest(error);
  if (isStoreUnavailable(error)) {
    return new ApiError('internal_error', {
      status: 503,
      message: 'The service is temporarily unavailable. Retry after the number of seconds in the Retry-After header.',
      retryAfterS: RETRY_AFTER_UNAVAILABLE_S,
      cause: error,
    });
  }
  return new ApiError('internal_error', { cause: error });
}

function ofRequest(error: RequestError, status?: number): ApiError {
  const { code, explanation, param, details, retryAfterS, cause } = error;
  return new ApiError(code, { message: explanation ?? undefined, param, details, retryAfterS, status, cause });
}

export const OVERLOADED = ofRequest(OVERLOAD, 503);
