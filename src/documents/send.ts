import type { Context } from 'koa';

/** Public; caches may store it for `maxAge` seconds. */
export function send(context: Context, type: string, body: string | Buffer, maxAge = 300): void {
  context.body = body;
  context.set('Content-Type', typeof body === 'string' ? `${type}; charset=utf-8` : type);
  context.set('Cache-Control', `public, max-age=${maxAge}`);
}

/** Without a body. */
export function redirect(context: Context, status: number, location: string): void {
  context.set('Location', location);
  context.body = '';
  // After the body: Koa turns an empty one into a 204.
  context.status = status;
}
