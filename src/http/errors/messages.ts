import { ERRORS, errorType } from '#domain/errors.ts';
import { redactKeys } from '#observability/redact.ts';
import type { ApiError } from './api-error.ts';

/**
 * Returns the message for the caller: the specific message if the error has one, otherwise the default message of its
 * code.
 */
export const messageOf = (error: ApiError): string => error.explanation ?? ERRORS[error.code].en.message;

/** Renders an error as a response body. */
export function errorBody(error: ApiError, requestId: string, docsUrl: string) {
  return {
    error: {
      type: errorType(error.code),
      code: error.code,
      // Messages can quote the request but must not contain keys.
      message: redactKeys(messageOf(error)),
      param: error.param === null ? null : redactKeys(error.param),
      request_id: requestId,
      doc_url: `${docsUrl}#${error.code}`,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  };
}
