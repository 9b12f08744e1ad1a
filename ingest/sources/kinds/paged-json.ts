import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import { fetch } from 'undici';
import type { FeedRow } from '../../record.ts';
import { mappedRow, messageOf, type RowMapper, rejectedRow } from './feed-row.ts';
import { isJsonRow, type JsonRow } from './ndjson-file.ts';

/** What one page of a feed says: its rows, and the address of the next page or null at the end. */
export interface JsonPage {
  rows: readonly unknown[];
  next: string | null;
}

export interface PagedJson {
  /** Address of the first page. */
  url: string;
  /** Reads a page's body. `address` is the page's own, for feeds that count pages. Throws on a shape it does not know. */
  readPage: (body: unknown, address: URL) => JsonPage;
  map: RowMapper<JsonRow>;
  signal: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  limits?: Partial<FetchLimits>;
}

export interface FetchLimits {
  /** Milliseconds for one try of one page, its body included. */
  timeoutMs: number;
  /** Tries after the first, for a page that failed in a way that may pass. */
  retries: number;
  /** Milliseconds before the first retry; doubled for each one after. */
  backoffMs: number;
  /** The longest wait that a host's `Retry-After` is granted, in milliseconds. */
  maxWaitMs: number;
  /** Bytes of one page, decompressed. */
  maxPageBytes: number;
  maxPages: number;
  /** Milliseconds between the starts of two requests to the host. */
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

/**
 * Streams a feed that is served as pages of JSON, one page in memory at a time. It ends with the last page, or with
 * one that has been served before (a host that repeats its last page for ever).
 * @throws when a page cannot be had, is not what `readPage` knows, or `maxPages` is passed: half a feed read as a
 * whole one would withdraw the other half, so there is no quiet stop
 */
export async function* pagedJson({
  url,
  readPage,
  map,
  signal,
  headers = {},
  limits,
}: PagedJson): AsyncGenerator<FeedRow> {
  const bounds = { ...LIMITS, ...limits };
  const limiter = new Bottleneck({ maxConcurrent: 1, minTime: bounds.minIntervalMs });
  const seen = new Set<string>();
  let address: URL | null = new URL(url);
  for (let pages = 0; address !== null; pages++) {
    if (pages >= bounds.maxPages)
      throw new Error(`the feed at ${url} does not end: more than ${bounds.maxPages} pages`);
    const at: URL = address;
    const body = await limiter.schedule(() => fetchPage(at, headers, bounds, signal));
    const digest = createHash('sha1').update(body).digest('base64');
    if (seen.has(digest)) return;
    seen.add(digest);
    const page = readPage(parsePage(body, at), at);
    for (const row of page.rows) {
      yield isJsonRow(row) ? mappedRow(row, map) : rejectedRow('malformed_row', 'the row is not a JSON object', row);
    }
    address = page.next === null ? null : new URL(page.next, at);
    if (address?.href === at.href) return;
  }
}

function parsePage(body: Buffer, address: URL): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new Error(`${address} is not JSON: ${messageOf(error)}`);
  }
}

/** A failure that another try may cure. */
class PassingFailure extends Error {
  readonly waitMs: number;

  constructor(message: string, waitMs = 0) {
    super(message);
    this.waitMs = waitMs;
  }
}

async function fetchPage(
  address: URL,
  headers: Readonly<Record<string, string>>,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Buffer> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await tryPage(address, headers, limits, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PassingFailure)) throw error;
      if (tries >= limits.retries) throw new Error(`${address} failed ${tries + 1} times: ${error.message}`);
      const backoff = limits.backoffMs * 2 ** tries;
      await sleep(Math.min(Math.max(backoff, error.waitMs), limits.maxWaitMs), undefined, { signal });
    }
  }
}

async function tryPage(
  address: URL,
  headers: Readonly<Record<string, string>>,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Buffer> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json', ...headers },
      signal: AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const message = `HTTP status ${response.status}`;
      if (response.status < 500 && response.status !== 429 && response.status !== 408) {
        throw new Refusal(`${address} answered ${message}`);
      }
      throw new PassingFailure(message, retryAfterMs(response.headers.get('retry-after')));
    }
    return await readBody(response.body, limits.maxPageBytes, address);
  } catch (error) {
    if (error instanceof Refusal || error instanceof PassingFailure) throw error;
    if (timeout.aborted) throw new PassingFailure(`no whole answer within ${limits.timeoutMs} ms`);
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new PassingFailure(messageOf(cause));
  }
}

/** A failure that no other try would cure. */
class Refusal extends Error {}

async function readBody(body: AsyncIterable<Uint8Array> | null, maxBytes: number, address: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop by throwing cancels the rest of the answer.
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Refusal(`a page at ${address} has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** `Retry-After` in seconds; its other form, a date, would need the host's clock. */
function retryAfterMs(header: string | null): number {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : 0;
}
