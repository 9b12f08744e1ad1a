import type { Logger } from 'pino';
import { ApiError } from '#domain/errors.ts';
import { StoreError } from '#domain/store-error.ts';
import { isPostgresAway } from '#postgres/failures.ts';
import type { HttpMiddleware } from './context.ts';
import { discardBody } from './discard-body.ts';
import { errorBody } from './errors.ts';

/** `Retry-After`, in seconds, when a store does not answer. */
const RETRY_AFTER_AWAY = 5;

/**
 * The one place where an error becomes an answer. Its cause goes to the log, under the request id, and not to the
 * caller.
 */
export function renderFailures(logger: Logger, docsUrl: string): HttpMiddleware {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      const known = toApiError(error);
      const { requestId } = context.state;
      if (known.status >= 500) {
        logger.error({ err: known.cause ?? known, request_id: requestId }, 'request failed');
      }
      context.status = known.status;
      context.set(known.headers);
      context.set('Content-Type', 'application/json; charset=utf-8');
      context.state.error = known;
      context.body = JSON.stringify(errorBody(known, requestId, docsUrl));
      discardBody(context.req);
    }
  };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreError ? error.away : isPostgresAway(error)) {
    return new ApiError('internal_error', {
      status: 503,
      message: 'The service is not available right now. Retry after the seconds in Retry-After.',
      headers: { 'Retry-After': String(RETRY_AFTER_AWAY) },
      cause: error,
    });
  }
  return new ApiError('internal_error', { cause: error });
}
