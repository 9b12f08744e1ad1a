import type { Context } from 'koa';

const TEXT = /^(?:text\/|application\/(?:[a-z]+\+)?(?:json|xml|javascript)$)/;

/** Caches may store the response for `maxAge` seconds. */
export function send(context: Context, type: string, body: string | Buffer, maxAge = 300): void {
  context.body = body;
  context.set('Content-Type', TEXT.test(type) ? `${type}; charset=utf-8` : type);
  context.set('Cache-Control', `public, max-age=${maxAge}`);
}

/** Unlike API responses, pages and their data must not be readable by scripts on other sites. */
export function hideFromScripts(context: Context): void {
  context.remove('Access-Control-Allow-Origin');
  context.remove('Access-Control-Expose-Headers');
}

export function redirect(context: Context, status: number, location: string): void {
  context.set('Location', location);
  context.body = '';
  // Koa turns an empty body into a 204.
  context.status = status;
}
