import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '#domain/backoff.ts';
import { messageOf } from '#domain/message-of.ts';
import { AddressError, hostOf } from '#stores/outbound/address.ts';
import {
  createOutboundClient,
  type OutboundClient,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from '#stores/outbound/outbound-client.ts';

export interface RequestLimits {
  /** Per attempt, including the body. */
  timeoutMs: number;
  retries: number;
  /** Before the first retry. The delay doubles with each retry. */
  backoffMs: number;
  /** Before a retry, also if `Retry-After` is longer. */
  maxWaitMs: number;
  /** Decompressed. */
  maxBytes: number;
}

const MAX_REDIRECTS = 5;

class RetryableError extends Error {
  readonly waitMs: number;

  constructor(message: string, waitMs = 0) {
    super(message);
    this.waitMs = waitMs;
  }
}

interface FeedConnectionOptions {
  /** Sent only to the origin of the URL, because they may contain credentials. */
  headers: Readonly<Record<string, string>>;
  /** Hosts (`host:port`), in addition to that of the URL, that may have a private address. */
  privateHosts?: readonly string[];
  userAgent: string | undefined;
  accept: string;
  limits: RequestLimits;
  signal: AbortSignal;
}

export interface FeedConnection extends Pick<FeedConnectionOptions, 'accept' | 'limits' | 'signal'>, Disposable {
  client: OutboundClient;
  ownHeaders: OutboundRequest['ownHeaders'];
}

/** Opens a client for a feed, whose host may have a private address, because the installation configures it. */
export function openFeedConnection(
  url: URL,
  { headers, privateHosts = [], userAgent, ...options }: FeedConnectionOptions,
): FeedConnection {
  const client = createOutboundClient({ connections: 1, userAgent, privateHosts: [hostOf(url), ...privateHosts] });
  const ownHeaders = { origin: url.origin, headers };
  return { ...options, client, ownHeaders, [Symbol.dispose]: () => client.close() };
}

/**
 * Requests an address, and retries temporary failures.
 * @param read reads the response; its failures are retried too
 * @param post value that is sent as JSON with POST; by default, the request is a GET
 * @throws if the address fails, is refused, or keeps failing
 */
export async function fetchFeed<Result>(
  fetching: FeedConnection,
  address: URL,
  read: (response: OutboundResponse) => Promise<Result> | Result,
  post?: unknown,
): Promise<Result> {
  const { limits, signal } = fetching;
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await attempt(fetching, address, read, post);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RetryableError)) throw error;
      if (tries >= limits.retries) throw new Error(`${address} failed ${tries + 1} times: ${error.message}`);
      const backoff = backoffMs({ firstMs: limits.backoffMs, longestMs: limits.maxWaitMs }, tries + 1, 1);
      await sleep(Math.min(Math.max(backoff, error.waitMs), limits.maxWaitMs), undefined, { signal });
    }
  }
}

async function attempt<Result>(
  { client, ownHeaders, accept, limits, signal }: FeedConnection,
  address: URL,
  read: (response: OutboundResponse) => Promise<Result> | Result,
  post: unknown,
): Promise<Result> {
  let response: OutboundResponse;
  try {
    response = await client.fetch(address, {
      ...(post === undefined
        ? { headers: { accept } }
        : { method: 'POST', body: JSON.stringify(post), headers: { accept, 'content-type': 'application/json' } }),
      ownHeaders,
      timeoutMs: limits.timeoutMs,
      maxBytes: limits.maxBytes,
      maxRedirects: MAX_REDIRECTS,
      signal,
    });
    if (response.status === 200) return await read(response);
  } catch (error) {
    throw described(error, address);
  }
  response.discard();
  const { status } = response;
  if (status < 500 && status !== 429 && status !== 408) throw new Error(`${address} returned HTTP status ${status}`);
  throw new RetryableError(`HTTP status ${status}`, retryAfterMs(response.headers['retry-after']));
}

/** Errors other than `RetryableError` name the URL. */
function described(error: unknown, address: URL): Error {
  if (error instanceof AddressError) return new Error(`${address} leads to a refused address: ${error.message}`);
  if (error instanceof OutboundError && error.code !== 'timeout') return new Error(`${address}: ${error.message}`);
  return new RetryableError(messageOf(error));
}

/** A date is ignored, because it depends on the host's clock. */
function retryAfterMs(header: unknown): number {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : 0;
}
