import type { Context, Next } from 'koa';
import { ApiError } from './errors.ts';

/** Longest URL taken, in characters; every filter at once with a hundred ids fits in. */
export const MAX_URL_LENGTH = 8_192;

/** Refuses what is larger than any honest request. Headers are limited by the HTTP parser, bodies by theirs. */
export async function limitRequest(context: Context, next: Next): Promise<void> {
  if (context.url.length > MAX_URL_LENGTH) {
    throw new ApiError('invalid_value', { message: `The URL is longer than ${MAX_URL_LENGTH} characters.` });
  }
  await next();
}
