import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpContext, HttpMiddleware } from './context.ts';

/** Minimum size for compression, in bytes. Smaller responses fit into one packet. */
const MIN_BYTES = 1_024;
const COMPRESSIBLE = /^(?:application\/(?:json|javascript|xml)|text\/|image\/svg)/;

export type Encoding = 'br' | 'gzip';

/** Levels: fast for metered responses, of which there are many, and small for others, which are a quarter smaller. */
const LEVELS = { fast: { br: 1, gzip: constants.Z_BEST_SPEED }, small: { br: 4, gzip: 6 } };

function encode(encoding: Encoding, bytes: Uint8Array, level: number): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level });
  const params = { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return promisify(brotliCompress)(bytes, { params });
}

export async function compress(
  context: HttpContext,
  bytes: Uint8Array,
  size: keyof typeof LEVELS = 'fast',
): Promise<{ encoding?: Encoding; bytes: Uint8Array }> {
  if (bytes.length < MIN_BYTES) return { bytes };
  const encoding = context.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding !== 'br' && encoding !== 'gzip') return { bytes };
  return { encoding, bytes: await encode(encoding, bytes, LEVELS[size][encoding]) };
}

/**
 * Responses to POST requests stay uncompressed: they can contain a new secret and caller input, and their compressed
 * length would leak the secret (BREACH attack).
 */
export const compressResponses: HttpMiddleware = async (context, next) => {
  await next();
  const { body } = context;
  if (context.method === 'POST' || !(Buffer.isBuffer(body) || typeof body === 'string')) return;
  const plain = typeof body === 'string' ? Buffer.from(body) : body;
  const isCompressed = context.res.hasHeader('Content-Encoding');
  if (plain.length < MIN_BYTES || !COMPRESSIBLE.test(context.response.type) || isCompressed) return;
  context.vary('Accept-Encoding');
  const { encoding, bytes } = await compress(context, plain, 'small');
  if (!encoding) return;
  const type = context.response.get('Content-Type');
  context.body = bytes;
  // Set again, because Koa resets the content type when the body becomes a buffer.
  context.set('Content-Type', type);
  context.set('Content-Encoding', encoding);
};
