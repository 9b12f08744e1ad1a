import type { HttpMiddleware } from './context.ts';

/** Forbid content sniffing, and caching unless a later step allows it. */
export const RESPONSE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } as const;

export function assignRequestId(now: () => number, random: (size: number) => Uint8Array): HttpMiddleware {
  return async (context, next) => {
    const id = requestIdAt(now(), random);
    context.state.requestId = id;
    context.set({ 'X-Request-Id': id, ...RESPONSE_HEADERS });
    await next();
  };
}

/**
 * `req_` with 48 bits of epoch milliseconds and 48 random bits: consecutive ids are adjacent in the index of the
 * request log.
 */
export function requestIdAt(now: number, random: (size: number) => Uint8Array): string {
  const id = Buffer.alloc(12);
  id.writeUIntBE(now, 0, 6);
  id.set(random(6), 6);
  return `req_${id.toString('hex')}`;
}
