import type { HttpMiddleware } from './context.ts';

/** Gives every request an id that its answer, its errors and the logs carry. */
export function assignRequestId(now: () => number, random: (size: number) => Uint8Array): HttpMiddleware {
  return async (context, next) => {
    const id = requestIdAt(now(), random);
    context.state.requestId = id;
    context.set('X-Request-Id', id);
    await next();
  };
}

/**
 * `req_<hex>`: 48 bits of the time, epoch milliseconds, and 48 random ones. Ids that follow each other are next to each
 * other in the log's index, where random ones would each write a page of their own.
 */
export function requestIdAt(now: number, random: (size: number) => Uint8Array): string {
  const id = Buffer.alloc(12);
  id.writeUIntBE(now, 0, 6);
  id.set(random(6), 6);
  return `req_${id.toString('hex')}`;
}
