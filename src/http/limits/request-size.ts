import { ApiError } from '#domain/errors.ts';
import type { HttpMiddleware } from '../context.ts';

/** Longest URL taken, in characters; every filter at once with a hundred ids fits in. */
const MAX_URL_LENGTH = 8_192;
/** Largest body taken, in bytes. */
export const MAX_BODY_BYTES = 256 * 1024;

/**
 * Refuses a request that is larger than any honest one before it is parsed, so that a client without a key cannot make
 * the service read megabytes. The HTTP parser limits headers; a body that does not state its size is limited while it
 * is read.
 */
export const limitRequest: HttpMiddleware = async (context, next) => {
  if (context.url.length > MAX_URL_LENGTH) {
    throw new ApiError('invalid_value', { message: `The URL is longer than ${MAX_URL_LENGTH} characters.` });
  }
  if (Number(context.get('Content-Length')) > MAX_BODY_BYTES) {
    // Only a POST has a body that a caller can correct.
    throw new ApiError(context.method === 'POST' ? 'invalid_body' : 'invalid_value', {
      message: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
    });
  }
  await next();
};
