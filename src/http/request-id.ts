import type { HttpMiddleware } from './context.ts';

/** Assigns an id to every request. Forbids content sniffing, and storage in caches unless a later step allows it. */
export function assignRequestId(now: () => number, random: (size: number) => Uint8Array): HttpMiddleware {
  return async (context, next) => {
    const id = requestIdAt(now(), random);
    context.state.requestId = id;
    context.set({ 'X-Request-Id': id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
    await next();
  };
}

/**
 * Returns `req_<hex>`: 48 bits of epoch milliseconds and 48 random bits, so that consecutive ids are adjacent in the
 * index of the request log.
 */
export function requestIdAt(now: number, random: (size: number) => Uint8Array): string {
  const id = Buffer.alloc(12);
  id.writeUIntBE(now, 0, 6);
  id.set(random(6), 6);
  return `req_${id.toString('hex')}`;
}
