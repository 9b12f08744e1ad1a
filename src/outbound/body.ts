import { type Duplex, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './error.ts';

/** Decoders by accepted content encoding. */
const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export const ENCODINGS = 'gzip, deflate, br';

/**
 * Limits both the encoded and the decoded size, regardless of `Content-Length`, because a few bytes can decompress to
 * gigabytes.
 * @throws OutboundError
 */
export async function* readBody(
  body: Readable,
  { 'content-encoding': encoding = 'identity', 'content-length': stated }: Readonly<Record<string, unknown>>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let whole = false;
  try {
    if (Number(stated) > maxBytes) throw tooLarge(maxBytes);
    yield* limited(decoded(body, String(encoding).toLowerCase(), maxBytes), maxBytes);
    whole = true;
  } finally {
    // After a complete read, the connection remains open for reuse.
    if (!whole) release(body);
  }
}

function decoded(body: Readable, encoding: string, maxBytes: number): Readable {
  if (encoding === 'identity') return body;
  const decoder = DECODERS[encoding]?.();
  if (!decoder) throw new OutboundError('unknown_encoding', `a body encoded as ${encoding.slice(0, 40)}`);
  // Errors of the source stream are thrown when the decoder is read.
  return pipeline(
    body,
    (chunks: AsyncIterable<Uint8Array>) => limited(chunks, maxBytes),
    decoder,
    () => {},
  );
}

/** Closes the connection instead of reading the rest. */
export function release(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}

async function* limited(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

const tooLarge = (maxBytes: number) => new OutboundError('too_large', `more than ${maxBytes} bytes`);
