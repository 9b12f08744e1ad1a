import { isUtf8 } from 'node:buffer';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type AddressPolicy, checkAddress, isPrivateHost } from './address.ts';
import { publicLookup, type Resolve, systemResolve } from './resolve.ts';

/** A limit is exceeded, or the response has an unknown encoding. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly code: 'timeout' | 'too_large' | 'too_many_redirects' | 'unknown_encoding';

  constructor(code: OutboundError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface OutboundOptions extends AddressPolicy {
  /** Concurrent connections per origin. Defaults to 8. */
  connections?: number;
  /** Name of the service, as by `userAgentOf`. Some hosts refuse requests without one. */
  userAgent?: string | undefined;
  resolve?: Resolve;
}

type Headers = Readonly<Record<string, string>>;

export interface OutboundRequest {
  method?: 'GET' | 'POST';
  headers?: Headers;
  /** Sent only to this origin, not to redirect targets elsewhere. */
  ownHeaders?: { origin: string; headers: Headers };
  body?: string | Uint8Array;
  /** In milliseconds, from name resolution to the last byte, including redirects. */
  timeoutMs: number;
  /** Maximum size of the body in bytes, both encoded and decoded. */
  maxBytes: number;
  /** Maximum number of redirects of a GET request; more are an error. By default, redirects are responses. */
  maxRedirects?: number;
  signal?: AbortSignal;
}

export interface OutboundResponse {
  status: number;
  headers: Readonly<IncomingHttpHeaders>;
  /** Decoded. Throws the same errors as `fetch`. Ending the iteration early closes the connection. */
  body: AsyncIterable<Uint8Array>;
  bytes(): Promise<Buffer>;
  /** Discards the body without reading it. */
  discard(): void;
}

export type OutboundClient = ReturnType<typeof createOutboundClient>;

/** Decoders by accepted content encoding. */
const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

const ENCODINGS = 'gzip, deflate, br';

const REDIRECTS = [301, 302, 303, 307, 308];

/** Returns a `User-Agent` with the name of the service and its address. Names without ASCII letters are left out. */
export function userAgentOf({ serviceName, siteUrl }: { serviceName: string; siteUrl: string }): string {
  const product = serviceName.replace(/[^\w.]+/g, '-').replace(/^-+|-+$/g, '');
  return `${product || DEFAULT_PRODUCT} (+${siteUrl})`;
}

const DEFAULT_PRODUCT = 'Property-Listings';

/** After which an unused connection is closed. */
const IDLE_MS = 4_000;

/** Checks the requested address, every redirect, and every address to which a name resolves. */
export function createOutboundClient(options: OutboundOptions = {}) {
  const { connections = 8, resolve = systemResolve, userAgent = DEFAULT_PRODUCT } = options;
  const lookup = publicLookup(resolve);
  const pool = { keepAlive: true, maxSockets: connections, timeout: IDLE_MS };
  // Agents share connections by host and port, as `privateHosts` distinguishes them.
  const [agent, tlsAgent] = [new http.Agent(pool), new https.Agent(pool)];

  const send = (url: URL, { method = 'GET', headers, ownHeaders, body }: OutboundRequest, signal: AbortSignal) =>
    exchange(url, body, {
      agent: url.protocol === 'https:' ? tlsAgent : agent,
      method,
      headers: {
        'accept-encoding': ENCODINGS,
        'user-agent': userAgent,
        ...headers,
        ...(ownHeaders?.origin === url.origin ? ownHeaders.headers : {}),
      },
      ...(isPrivateHost(url, options) ? {} : { lookup }),
      signal,
    });

  async function follow(first: URL, wanted: OutboundRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { method = 'GET', maxRedirects = 0 } = wanted;
    let url = first;
    for (let hop = 0; ; hop++) {
      const answer = await send(url, wanted, signal);
      const { location } = answer.headers;
      const moved = REDIRECTS.includes(answer.statusCode ?? 0) && location !== undefined;
      if (!moved || method !== 'GET' || maxRedirects === 0) return answer;
      release(answer);
      if (hop === maxRedirects) throw new OutboundError('too_many_redirects', `more than ${maxRedirects} redirects`);
      const target = asUtf8(location);
      url = checkAddress(URL.parse(target, url.href) ?? target, options);
    }
  }

  return {
    /**
     * @throws AddressError if an address is refused; OutboundError if a limit is reached; the abort reason of `signal`;
     *   connection errors
     */
    async fetch(address: string | URL, wanted: OutboundRequest): Promise<OutboundResponse> {
      const url = checkAddress(address, options);
      const timeout = AbortSignal.timeout(wanted.timeoutMs);
      const signal = wanted.signal ? AbortSignal.any([wanted.signal, timeout]) : timeout;
      const failure = (error: unknown): unknown => {
        if (wanted.signal?.aborted) return wanted.signal.reason;
        return timeout.aborted
          ? new OutboundError('timeout', `no complete response within ${wanted.timeoutMs} ms`)
          : error;
      };
      const answer = await follow(url, wanted, signal).catch((error: unknown) => {
        throw failure(error);
      });
      const body = explained(readBody(answer, wanted.maxBytes), failure);
      return {
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        body,
        bytes: () => buffer(body),
        discard: () => release(answer),
      };
    },
    close(): void {
      for (const each of [agent, tlsAgent]) each.destroy();
    },
  };
}

/** With the modules of Node, because undici fails at an unrequested `100 Continue`, which servers may send. */
function exchange(
  url: URL,
  body: OutboundRequest['body'],
  options: http.RequestOptions & { signal: AbortSignal },
): Promise<IncomingMessage> {
  const { signal } = options;
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((respond, reject) => {
    signal.throwIfAborted();
    // A request that waits for a connection emits no error when it is aborted.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    request(url, options)
      .on('response', respond)
      .on('error', reject)
      // For example, the response switches to another protocol.
      .on('close', () => reject(new Error('the connection was closed without a response')))
      .end(body);
  });
}

/** Headers are decoded as Latin-1, but hosts write addresses in UTF-8. */
function asUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}

async function* explained<T>(chunks: AsyncIterable<T>, failure: (error: unknown) => unknown): AsyncGenerator<T> {
  try {
    yield* chunks;
  } catch (error) {
    throw failure(error);
  }
}

/**
 * Limits the encoded and the decoded size, because a few bytes can decompress to gigabytes.
 * @throws OutboundError
 */
async function* readBody(body: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  const { 'content-encoding': encoding = 'identity', 'content-length': stated } = body.headers;
  let whole = false;
  try {
    if (Number(stated) > maxBytes) throw tooLarge(maxBytes);
    yield* limited(decoded(body, encoding.toLowerCase(), maxBytes), maxBytes);
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
function release(body: Readable): void {
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
