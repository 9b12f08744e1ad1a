import type { Logger } from 'pino';
import { ApiError } from '#domain/errors.ts';
import { OverloadError } from '#domain/turns.ts';
import { isStoreUnavailable } from '#postgres/failures.ts';
import { discardBody } from '../body/discard.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { errorBody } from './messages.ts';

/** `Retry-After`, in seconds, when a store does not answer. */
const RETRY_AFTER_AWAY = 5;

/** The one place where an error that nobody caught becomes an answer. */
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

/**
 * What an error is to the caller: status and headers of the answer, whose body is left to write. Its cause goes to the log,
 * under the request id, and not to the caller.
 */
export function settleFailure(logger: Logger, context: HttpContext, error: unknown): ApiError {
  const known = toApiError(error);
  // Refusals under overload are counted instead: a line for each would add to the load.
  if (known.status >= 500 && !(error instanceof OverloadError))
    logger.error({ err: known.cause ?? known, request_id: context.state.requestId }, 'request failed');
  context.status = known.status;
  context.set(known.headers);
  context.state.error = known;
  return known;
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isStoreUnavailable(error)) {
    return new ApiError('internal_error', {
      status: 503,
      message: 'The service is not available right now. Retry after the seconds in Retry-After.',
      headers: { 'Retry-After': String(RETRY_AFTER_AWAY) },
      cause: error,
    });
  }
  return new ApiError('internal_error', { cause: error });
}
