import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { HttpContext, HttpMiddleware } from './context.ts';
import { digestOf } from './digest.ts';

/** Minimum size for compression, in bytes. Smaller responses fit into one packet. */
const MIN_BYTES = 1_024;
const COMPRESSIBLE = /^(?:application\/(?:json|javascript|xml)|text\/|image\/svg)/;

export type Encoding = 'br' | 'gzip';

/** Levels: fast for metered responses, of which there are many, and small for others, which are a quarter smaller. */
const LEVELS = { fast: { br: 1, gzip: constants.Z_BEST_SPEED }, small: { br: 4, gzip: 6 } };

/** Bytes of responses that are kept compressed: documents and pages that do not change between requests. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** Compressions of free responses at a time, half of the threads of Node. Others are sent as they are. */
const MAX_RUNNING = 2;
const cache = new LRUCache<string, Buffer>({ maxSize: CACHE_BYTES, sizeCalculation: ({ length }) => length });
const running = new Map<string, Promise<Buffer>>();

/** Returns null if too many compressions run, so that many large pages do not delay other calls. */
async function encodeOnce(encoding: Encoding, plain: Uint8Array): Promise<Buffer | null> {
  const key = `${encoding} ${digestOf(plain)}`;
  const known = cache.get(key) ?? running.get(key);
  if (known !== undefined) return known;
  if (running.size >= MAX_RUNNING) return null;
  const encoded = encode(encoding, plain, LEVELS.small[encoding]).finally(() => running.delete(key));
  running.set(key, encoded);
  cache.set(key, await encoded);
  return encoded;
}

function encode(encoding: Encoding, bytes: Uint8Array, level: number): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level });
  const params = { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return promisify(brotliCompress)(bytes, { params });
}

/** For metered responses. */
export async function compress(
  context: HttpContext,
  bytes: Uint8Array,
): Promise<{ encoding?: Encoding; bytes: Uint8Array }> {
  const encoding = bytes.length < MIN_BYTES ? null : acceptedBy(context);
  return encoding === null ? { bytes } : { encoding, bytes: await encode(encoding, bytes, LEVELS.fast[encoding]) };
}

function acceptedBy(context: HttpContext): Encoding | null {
  const encoding = context.acceptsEncodings('br', 'gzip', 'identity');
  return encoding === 'br' || encoding === 'gzip' ? encoding : null;
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
  const encoding = acceptedBy(context);
  const bytes = encoding === null ? null : await encodeOnce(encoding, plain);
  if (encoding === null || bytes === null) return;
  const type = context.response.get('Content-Type');
  context.body = bytes;
  // Set again, because Koa resets the content type when the body becomes a buffer.
  context.set('Content-Type', type);
  context.set('Content-Encoding', encoding);
};
