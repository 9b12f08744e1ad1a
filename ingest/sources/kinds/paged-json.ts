import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '#domain/message-of.ts';
import type { FeedEnd, FeedRow, RowLayout } from './feed-row.ts';
import { fetchFeed, openFeedConnection, type RequestLimits } from './http.ts';
import { type JsonRow, offersIn, parseJson } from './ndjson-file.ts';

export interface JsonPage {
  rows: readonly unknown[];
  /** URL, or the JSON body of a POST; null at the end. */
  next: string | { post: JsonRow } | null;
  /** Number of rows of the whole feed, if the page states it. */
  total?: number | null;
}

export interface PagedJson extends RowLayout<JsonRow> {
  /** Address of the first page. The installation configures its host; the feed supplies all further URLs. */
  url: string;
  /** JSON body of the first request. All requests are then sent to `url`, and the body contains the page or cursor. */
  post?: JsonRow;
  /** `posted` is the body of the request, empty for a GET. Throws if the format is unknown. */
  readPage: (body: unknown, address: URL, posted: JsonRow) => JsonPage;
  signal: AbortSignal;
  /** Sent only to the origin of `url`, because they may contain credentials. */
  headers?: Readonly<Record<string, string>>;
  /** Hosts (`host:port`), in addition to the host of `url`, that may have a private address. */
  privateHosts?: readonly string[];
  /** `User-Agent` of the settings. */
  userAgent?: string | undefined;
  limits?: Partial<FetchLimits>;
}

export interface FetchLimits extends Omit<RequestLimits, 'maxBytes'> {
  /** Decompressed. */
  maxPageBytes: number;
  maxPages: number;
}

const LIMITS: FetchLimits = {
  timeoutMs: 20_000,
  retries: 4,
  backoffMs: 500,
  maxWaitMs: 30_000,
  maxPageBytes: 16 * 1024 * 1024,
  maxPages: 100_000,
};

/**
 * One page is in memory at a time. The feed counts as truncated if a page repeats an earlier one (some hosts repeat their
 * last page) or if it has fewer rows than announced.
 * @throws beyond `maxPages`: a partial feed that counts as complete would withdraw the other ads
 */
export async function* pagedJson({
  url,
  post,
  readPage,
  signal,
  headers = {},
  privateHosts = [],
  userAgent,
  limits,
  ...layout
}: PagedJson): AsyncGenerator<FeedRow, FeedEnd> {
  const bounds = { ...LIMITS, ...limits };
  const first = new URL(url);
  using fetching = openFeedConnection(first, {
    headers,
    privateHosts,
    userAgent,
    accept: 'application/json',
    limits: { ...bounds, maxBytes: bounds.maxPageBytes },
    signal,
  });
  const seen = new Set<string>();
  let rows = 0;
  let wanted: PageRequest | null = { address: first, post };
  for (let pages = 0; wanted !== null; pages++) {
    if (pages >= bounds.maxPages)
      throw new Error(`the feed at ${url} does not end: more than ${bounds.maxPages} pages`);
    const at: PageRequest = wanted;
    const body = await fetchFeed(fetching, at.address, (response) => response.bytes(), at.post);
    const digest = createHash('sha1').update(body).digest('base64');
    if (seen.has(digest)) return cutFeed(`${at.address} repeats a page, and is not the last`);
    seen.add(digest);
    const page = readPage(parsePage(body, at.address), at.address, at.post ?? {});
    rows += page.rows.length;
    for (const row of page.rows) {
      yield* offersIn(row, layout);
    }
    if (page.next === null && rows < (page.total ?? 0))
      return cutFeed(`the feed has ${rows} rows, and says that it has ${page.total}`);
    wanted = page.next === null ? null : nextRequest(page.next, at);
    if (isDeepStrictEqual(wanted, at)) return cutFeed(`${at.address} is followed by itself`);
  }
  return { cut: null, lineBreak: null };
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

interface PageRequest {
  address: URL;
  post: JsonRow | undefined;
}

function nextRequest(next: string | { post: JsonRow }, at: PageRequest): PageRequest {
  if (typeof next !== 'string') return { address: at.address, post: next.post };
  const address = URL.parse(next, at.address.href);
  if (address === null) throw new Error(`the page after ${at.address} was refused: not a URL`);
  // The body may contain credentials.
  if (at.post !== undefined && address.origin !== at.address.origin)
    throw new Error(`the page after ${at.address} was refused: a POST to another host, ${address.host}`);
  return { address, post: at.post };
}
