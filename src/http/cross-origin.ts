import type { Context, Next } from 'koa';

const EXPOSED = [
  'X-Request-Id',
  'X-Request-Units',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Quota-Reset',
  'Retry-After',
  'Idempotent-Replay',
].join(', ');

/** Any page may read answers: a call needs a key in its header, so there are no cookies to abuse. */
export async function crossOrigin(context: Context, next: Next): Promise<void> {
  context.set('Access-Control-Allow-Origin', '*');
  context.set('Access-Control-Expose-Headers', EXPOSED);
  await next();
}
