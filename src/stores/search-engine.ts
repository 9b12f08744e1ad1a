import { type Dispatcher, Pool } from 'undici';
import { openSearchFailure, StoreError } from './failures.ts';

/** The read side of OpenSearch: requests compiled by query builders, answers as bytes or values. */
export interface SearchEngine {
  /** The answer of a search, unparsed. @throws StoreError */
  searchBytes(index: string, body: Readonly<Record<string, unknown>>, options?: SearchOptions): Promise<Buffer>;
  /** The answer of a search, parsed. @throws StoreError */
  search<T>(index: string, body: Readonly<Record<string, unknown>>, options?: SearchOptions): Promise<T>;
  close(): Promise<void>;
}

export interface SearchOptions {
  /** Searches of one preference go to the same copies of the index (letters, digits, `-` and `_`, no `_` first). */
  preference?: string;
}

export interface SearchEngineOptions {
  url: string;
  /** Milliseconds until a search is given up. */
  timeout: number;
  connections: number;
}

/**
 * The client library reads answers as text and parses them; a page of listings is served as the bytes it came in, so
 * the read side goes over a plain keep-alive pool. Everything else goes through the client.
 */
export function createSearchEngine(options: SearchEngineOptions): SearchEngine {
  const { origin, pathname, username, password } = new URL(options.url);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, {
    connections: options.connections,
    pipelining: 1,
    connect: { timeout: options.timeout },
    headersTimeout: options.timeout,
    bodyTimeout: options.timeout,
    keepAliveTimeout: 60_000,
  });
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (username) {
    headers.authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
  }
  const send = async (request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> => {
    try {
      return await pool.request(request);
    } catch (error) {
      // A kept-alive connection that the other side closed in the meantime says nothing about the server.
      if ((error as { code?: unknown }).code === 'UND_ERR_SOCKET') return await pool.request(request);
      throw error;
    }
  };
  const searchBytes: SearchEngine['searchBytes'] = async (index, body, { preference } = {}) => {
    const deadline = performance.now() + options.timeout;
    try {
      const response = await send({
        method: 'POST',
        // A shard that failed must fail the search: half of the listings would look like all of them.
        path: `${prefix}/${index}/_search?allow_partial_search_results=false${preference === undefined ? '' : `&preference=${preference}`}`,
        headers,
        body: JSON.stringify(body),
      });
      const bytes = await readBy(deadline, response.body);
      // A success that holds no hits comes from something else on the way; read as an answer it would be an empty page.
      if (response.statusCode === 200 && bytes.includes('"hits":')) return bytes;
      const away = response.statusCode === 429 || response.statusCode === 503;
      throw new StoreError('opensearch', away, new Error(`${response.statusCode} ${bytes.toString('utf8', 0, 500)}`));
    } catch (error) {
      throw openSearchFailure(error);
    }
  };
  return {
    searchBytes,
    search: async <T>(index: string, body: Readonly<Record<string, unknown>>, options?: SearchOptions) =>
      JSON.parse((await searchBytes(index, body, options)).toString('utf8')) as T,
    close: () => pool.close(),
  };
}

/** Reads a body whole, until a moment of `performance.now()`: the pool's own limit only sees a body that stands still. */
async function readBy(deadline: number, body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const tooLate = () => body.destroy(new Error('the answer did not arrive in time'));
  const timer = setTimeout(tooLate, Math.max(1, deadline - performance.now()));
  try {
    return Buffer.from(await body.arrayBuffer());
  } finally {
    clearTimeout(timer);
  }
}
