import { Agent, type Dispatcher, request } from 'undici';
import { type AddressPolicy, checkAddress, isPrivateHost } from './address.ts';
import { ENCODINGS, readBody, release } from './body.ts';
import { OutboundError } from './error.ts';
import { publicLookup, type Resolve, systemResolve } from './resolve.ts';

export interface OutboundOptions extends AddressPolicy {
  /** Connections to one host at once. */
  connections?: number;
  resolve?: Resolve;
}

type Headers = Readonly<Record<string, string>>;

export interface OutboundRequest {
  method?: 'GET' | 'POST';
  headers?: Headers;
  /** Headers that go to this origin and to no other, such as credentials. */
  ownHeaders?: { origin: string; headers: Headers };
  body?: string | Uint8Array;
  /** Milliseconds for all of it, from resolving the name to the last byte, redirects included. */
  timeoutMs: number;
  /** Bytes of the body, as sent and as decoded. */
  maxBytes: number;
  /** Maximum number of followed redirects of a GET; more are an error. With 0, redirects are returned as responses. */
  maxRedirects?: number;
  signal?: AbortSignal;
}

export interface OutboundResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body, decoded. It throws as `fetch` does; a loop that leaves it early closes the connection. */
  body: AsyncIterable<Uint8Array>;
  /** The whole body. */
  bytes(): Promise<Buffer>;
  /** Leaves the body unread. */
  discard(): void;
}

export interface OutboundClient {
  /**
   * @throws AddressError for a refused address, OutboundError at a limit, the reason of `signal` once aborted, and errors of
   * the connection
   */
  fetch(address: string | URL, options: OutboundRequest): Promise<OutboundResponse>;
  /** Aborts running requests. */
  close(): void;
}

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Calls addresses that others chose. Each is checked before it is called: the one given, that of every redirect, and
 * all that a name resolves to.
 */
export function createOutboundClient(options: OutboundOptions = {}): OutboundClient {
  const { connections = 8, resolve = systemResolve } = options;
  const publicAgent = new Agent({ connections, connect: { lookup: publicLookup(resolve) } });
  const privateAgent = new Agent({ connections });

  const send = (url: URL, { method = 'GET', headers, ownHeaders, body }: OutboundRequest, signal: AbortSignal) =>
    request(url, {
      method,
      headers: {
        'accept-encoding': ENCODINGS,
        ...headers,
        ...(ownHeaders?.origin === url.origin ? ownHeaders.headers : {}),
      },
      body: body ?? null,
      dispatcher: isPrivateHost(url, options) ? privateAgent : publicAgent,
      signal,
      // The signal is the limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    });

  async function follow(first: URL, wanted: OutboundRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { method = 'GET', maxRedirects = 0 } = wanted;
    let url = first;
    for (let hop = 0; ; hop++) {
      const answer = await abortable(send(url, wanted, signal), signal);
      const { location } = answer.headers;
      const moved = REDIRECTS.includes(answer.statusCode) && typeof location === 'string';
      if (!moved || method !== 'GET' || maxRedirects === 0) return answer;
      release(answer.body);
      if (hop === maxRedirects) throw new OutboundError('too_many_redirects', `more than ${maxRedirects} redirects`);
      url = checkAddress(URL.parse(location, url.href) ?? location, options);
    }
  }

  return {
    async fetch(address, wanted) {
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
      const body = explained(readBody(answer.body, answer.headers, wanted.maxBytes), failure);
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body,
        bytes: () => collect(body),
        discard: () => release(answer.body),
      };
    },
    close() {
      // A connection that is still being opened ends by itself; nothing waits for it.
      for (const agent of [publicAgent, privateAgent]) agent.destroy().catch(() => {});
    },
  };
}

/** Undici ignores the signal while a connection is being opened: this rejects at once. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Yields the same chunks and translates errors. */
async function* explained<T>(chunks: AsyncIterable<T>, failure: (error: unknown) => unknown): AsyncGenerator<T> {
  try {
    yield* chunks;
  } catch (error) {
    throw failure(error);
  }
}
