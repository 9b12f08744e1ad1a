import type { HttpMiddleware } from './context.ts';

/** Gives every request an id, `req_<hex>`, that its answer, its errors and the logs carry. */
export function assignRequestId(random: (size: number) => Uint8Array): HttpMiddleware {
  return async (context, next) => {
    const id = `req_${Buffer.from(random(12)).toString('hex')}`;
    context.state.requestId = id;
    context.set('X-Request-Id', id);
    await next();
  };
}
