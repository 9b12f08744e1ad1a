import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import { backoffMs } from '#domain/backoff.ts';
import { messageOf } from '#domain/message-of.ts';
import { AddressError, hostOf } from '#outbound/address.ts';
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundRequest,
  type OutboundResponse,
} from '#outbound/client.ts';
import { OutboundError } from '#outbound/error.ts';
import type { FeedEnd, FeedRow } from './feed-row.ts';
import { mappedRow, type RowMapper, rejectedRow } from './feed-row.ts';
import { isJsonRow, type JsonRow, parseJson } from './ndjson-file.ts';

/** A page of a feed: its rows, and the address of the next page, or null at the end. */
export interface JsonPage {
  rows: readonly unknown[];
  next: string | null;
  /** Number of rows in the whole feed, if the page states it. */
  total?: number | null;
}

export interface PagedJson {
  /** URL of the first page. The installation configures its host; the feed supplies all further URLs. */
  url: string;
  /** Reads the body of the page at `address`, for feeds with page numbers. Throws if its format is unknown. */
  readPage: (body: unknown, address: URL) => JsonPage;
  map: RowMapper<JsonRow>;
  signal: AbortSignal;
  /** Sent only to the origin of `url`, because they may contain credentials. */
  headers?: Readonly<Record<string, string>>;
  /** Hosts (`host:port`), in addition to the host of `url`, that may have a private address. */
  privateHosts?: readonly string[];
  limits?: Partial<FetchLimits>;
}

export interface FetchLimits {
  /** Timeout in milliseconds per attempt at a page, including the body. */
  timeoutMs: number;
  /** Maximum number of retries per page after temporary failures. */
  retries: number;
  /** Milliseconds before the first retry. The delay doubles with each retry. */
  backoffMs: number;
  /** Maximum delay in milliseconds before a retry, also if `Retry-After` is longer. */
  maxWaitMs: number;
  /** Maximum size of one page in bytes, decompressed. */
  maxPageBytes: number;
  maxPages: number;
  /** Minimum milliseconds between the first requests for two pages. Retries are not limited. */
  minIntervalMs: number;
}

const LIMITS: FetchLimits = {
  timeoutMs: 20_000,
  retries: 4,
  backoffMs: 500,
  maxWaitMs: 30_000,
  maxPageBytes: 16 * 1024 * 1024,
  maxPages: 100_000,
  minIntervalMs: 0,
};

const MAX_REDIRECTS = 5;

/**
 * Streams a feed of JSON pages, with one page in memory at a time. The feed is marked as truncated if a page repeats an
 * earlier one (some hosts repeat their last page) or if it has fewer rows than announced.
 * @throws if a page cannot be fetched or has an unknown format, or if `maxPages` is exceeded: a partial feed that
 * counts as complete would withdraw the other ads
 */
export async function* pagedJson({
  url,
  readPage,
  map,
  signal,
  headers = {},
  privateHosts = [],
  limits,
}: PagedJson): AsyncGenerator<FeedRow, FeedEnd> {
  const bounds = { ...LIMITS, ...limits };
  const first = new URL(url);
  const client = createOutboundClient({ connections: 1, privateHosts: [hostOf(first), ...privateHosts] });
  const fetching: Fetching = { client, ownHeaders: { origin: first.origin, headers }, limits: bounds, signal };
  const limiter = new Bottleneck({ maxConcurrent: 1, minTime: bounds.minIntervalMs });
  const seen = new Set<string>();
  let rows = 0;
  try {
    let address: URL | null = first;
    for (let pages = 0; address !== null; pages++) {
      if (pages >= bounds.maxPages)
        throw new Error(`the feed at ${url} does not end: more than ${bounds.maxPages} pages`);
      const at: URL = address;
      const body = await limiter.schedule(() => fetchPage(fetching, at));
      const digest = createHash('sha1').update(body).digest('base64');
      if (seen.has(digest)) return cutFeed(`${at} repeats a page, and is not the last`);
      seen.add(digest);
      const page = readPage(parsePage(body, at), at);
      rows += page.rows.length;
      for (const row of page.rows) {
        yield isJsonRow(row) ? mappedRow(row, map) : rejectedRow('malformed_row', 'the row is not a JSON object', row);
      }
      if (page.next === null && rows < (page.total ?? 0))
        return cutFeed(`the feed has ${rows} rows, and says that it has ${page.total}`);
      address = page.next === null ? null : nextAddress(page.next, at);
      if (address?.href === at.href) return cutFeed(`${at} is followed by itself`);
    }
    return { cut: null, lineBreak: null };
  } finally {
    client.close();
  }
}

const cutFeed = (cut: string): FeedEnd => ({ cut, lineBreak: null });

function parsePage(body: Buffer, address: URL): unknown {
  if (!isUtf8(body)) throw new Error(`${address} is not UTF-8`);
  try {
    return parseJson(body.toString('utf8'));
  } catch (error) {
    throw new Error(`${address} is not JSON: ${messageOf(error)}`);
  }
}

function nextAddress(next: string, at: URL): URL {
  const address = URL.parse(next, at.href);
  if (address === null) throw new Error(`the page after ${at} was refused: not a URL`);
  return address;
}

/** A temporary failure, which is retried. */
class RetryableError extends Error {
  readonly waitMs: number;

  constructor(message: string, waitMs = 0) {
    super(message);
    this.waitMs = waitMs;
  }
}

/** Context for fetching pages. */
interface Fetching {
  client: OutboundClient;
  ownHeaders: OutboundRequest['ownHeaders'];
  limits: FetchLimits;
  signal: AbortSignal;
}

async function fetchPage(fetching: Fetching, address: URL): Promise<Buffer> {
  const { limits, signal } = fetching;
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await tryPage(fetching, address);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RetryableError)) throw error;
      if (tries >= limits.retries) throw new Error(`${address} failed ${tries + 1} times: ${error.message}`);
      const backoff = backoffMs({ firstMs: limits.backoffMs, longestMs: limits.maxWaitMs }, tries + 1, 1);
      await sleep(Math.min(Math.max(backoff, error.waitMs), limits.maxWaitMs), undefined, { signal });
    }
  }
}

async function tryPage({ client, ownHeaders, limits, signal }: Fetching, address: URL): Promise<Buffer> {
  let response: OutboundResponse;
  try {
    response = await client.fetch(address, {
      headers: { accept: 'application/json' },
      ownHeaders,
      timeoutMs: limits.timeoutMs,
      maxBytes: limits.maxPageBytes,
      maxRedirects: MAX_REDIRECTS,
      signal,
    });
    if (response.status === 200) return await response.bytes();
  } catch (error) {
    throw described(error, address);
  }
  response.discard();
  const { status } = response;
  if (status < 500 && status !== 429 && status !== 408) throw new Error(`${address} returned HTTP status ${status}`);
  throw new RetryableError(`HTTP status ${status}`, retryAfterMs(response.headers['retry-after']));
}

/** Converts a request error. A `RetryableError` can be retried; other errors name the page's URL. */
function described(error: unknown, address: URL): Error {
  if (error instanceof AddressError) return new Error(`${address} leads to a refused address: ${error.message}`);
  if (error instanceof OutboundError && error.code !== 'timeout') return new Error(`${address}: ${error.message}`);
  return new RetryableError(messageOf(error));
}

/** Reads `Retry-After` in seconds. A date is ignored, because it depends on the host's clock. */
function retryAfterMs(header: unknown): number {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : 0;
}
