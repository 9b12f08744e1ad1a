import type { HttpContext, HttpMiddleware } from './context.ts';

const EXPOSED = [
  'X-Request-Id',
  'X-Request-Units',
  'X-Request-Max-Units',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Quota-Reset',
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'Idempotent-Replay',
  'Deprecation',
  'Sunset',
  'Link',
].join(', ');

export const CROSS_ORIGIN_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
} as const;

/**
 * Pages of every origin may read responses, because calls are authenticated by a header, not by cookies. @koa/cors
 * lists the same methods for all paths and sends `Vary: Origin`, so that shared caches store one copy per origin.
 */
export const crossOrigin: HttpMiddleware = async (context, next) => {
  context.set(CROSS_ORIGIN_HEADERS);
  await next();
};

/** @param methods methods of the path; empty for an unknown path */
export function respondToPreflight(context: HttpContext, methods: readonly string[]): void {
  context.status = 204;
  context.set('Access-Control-Allow-Methods', (methods.length > 0 ? methods : ['GET', 'POST', 'OPTIONS']).join(', '));
  context.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key, If-None-Match');
  context.set('Access-Control-Max-Age', '86400');
}
