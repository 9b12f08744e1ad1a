import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpMiddleware } from './context.ts';

/** Bytes from which on an answer is compressed: smaller ones fit into one packet anyway. */
const LEAST = 1_024;
const COMPRESSIBLE = /^(?:application\/(?:json|javascript|xml)|text\/|image\/svg)/;

/** Each at its fastest level: who compresses waits for it, with one processor for many callers. */
const ENCODERS = {
  br: promisify((bytes: Uint8Array, done: (error: Error | null, result: Buffer) => void) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    brotliCompress(bytes, { params }, done);
  }),
  gzip: promisify((bytes: Uint8Array, done: (error: Error | null, result: Buffer) => void) => {
    gzip(bytes, { level: constants.Z_BEST_SPEED }, done);
  }),
} as const;

/**
 * Compresses what the caller takes compressed, off the main thread. Answers to a POST may hold a new secret beside what the
 * caller sent, whose length would tell of it: they go out as they are.
 */
export const compressAnswers: HttpMiddleware = async (context, next) => {
  await next();
  const { body } = context;
  if (context.method === 'POST' || !(Buffer.isBuffer(body) || typeof body === 'string')) return;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length < LEAST || !COMPRESSIBLE.test(context.response.type) || context.response.get('Content-Encoding'))
    return;
  context.vary('Accept-Encoding');
  const encoding = context.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding !== 'br' && encoding !== 'gzip') return;
  const type = context.response.get('Content-Type');
  context.body = await ENCODERS[encoding](bytes);
  // Koa takes bytes for a file of no known type.
  context.set('Content-Type', type);
  context.set('Content-Encoding', encoding);
};
