import type { HttpMiddleware } from '../context.ts';
import { ApiError } from '../errors/api-error.ts';

/** In characters, enough for every filter and a hundred ids. */
const MAX_URL_LENGTH = 8_192;
export const MAX_BODY_BYTES = 256 * 1024;

/** The HTTP parser limits headers; a body without `Content-Length` is limited while it is being read. */
export const limitRequest: HttpMiddleware = async (context, next) => {
  // Proxies before the service may have used the other one (RFC 9112, section 3.2).
  if (context.req.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1)
    throw new ApiError('invalid_value', { message: 'The request has more than one `Host` header. Send one.' });
  if (context.url.length > MAX_URL_LENGTH) {
    throw new ApiError('invalid_value', { message: `The URL is longer than ${MAX_URL_LENGTH} characters.` });
  }
  if (Number(context.get('Content-Length')) > MAX_BODY_BYTES) {
    // Other methods have no body that a caller could correct.
    throw new ApiError(context.method === 'POST' ? 'invalid_body' : 'invalid_value', {
      message: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
    });
  }
  await next();
};
