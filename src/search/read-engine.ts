import { type Dispatcher, Pool } from 'undici';
import { openSearchFailure, StoreError } from '#domain/store-error.ts';
import { BytePool } from './byte-pool.ts';

/** An answer in memory that is used again: its bytes are there until `free`. */
export interface SearchAnswer {
  bytes: Buffer;
  /** Calling it more than once does no harm. */
  free(): void;
}

/** The read side of OpenSearch: requests compiled by query builders, answers as bytes or values. */
export interface SearchEngine {
  /** The answer of a search, unparsed, to be freed when it was read. @throws StoreError */
  searchPooled(index: string, body: Readonly<Record<string, unknown>>, options?: SearchOptions): Promise<SearchAnswer>;
  /** The answer of a search, unparsed, to keep. @throws StoreError */
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
  const buffers = new BytePool();
  const send = async (request: Dispatcher.DispatchOptions): Promise<Received> => {
    const receiving = { buffers, deadline: performance.now() + options.timeout };
    try {
      return await receive(pool, request, receiving);
    } catch (error) {
      // A kept-alive connection that the other side closed in the meantime says nothing about the server.
      if ((error as { code?: unknown }).code === 'UND_ERR_SOCKET') return await receive(pool, request, receiving);
      throw error;
    }
  };
  const searchPooled: SearchEngine['searchPooled'] = async (index, body, { preference } = {}) => {
    const { status, memory, length } = await send({
      method: 'POST',
      // A shard that failed must fail the search: half of the listings would look like all of them.
      path: `${prefix}/${index}/_search?allow_partial_search_results=false${preference === undefined ? '' : `&preference=${preference}`}`,
      headers,
      body: JSON.stringify(body),
    }).catch((error: unknown) => {
      throw openSearchFailure(error);
    });
    const bytes = memory.subarray(0, length);
    let freed = false;
    const free = (): void => {
      if (!freed) buffers.free(memory);
      freed = true;
    };
    // A success that holds no hits comes from something else on the way; read as an answer it would be an empty page.
    if (status === 200 && bytes.includes('"hits":')) return { bytes, free };
    const away = status === 429 || status === 503;
    const failure = new StoreError('opensearch', away, new Error(`${status} ${bytes.toString('utf8', 0, 500)}`));
    free();
    throw failure;
  };
  const readSearch = async <T>(read: (bytes: Buffer) => T, ...asked: Parameters<typeof searchPooled>): Promise<T> => {
    const { bytes, free } = await searchPooled(...asked);
    try {
      return read(bytes);
    } finally {
      free();
    }
  };
  return {
    searchPooled,
    searchBytes: (...asked) => readSearch((answer) => Buffer.from(answer), ...asked),
    search: <T>(...asked: Parameters<typeof searchPooled>) =>
      readSearch((answer) => JSON.parse(answer.toString('utf8')) as T, ...asked),
    close: () => pool.close(),
  };
}

interface Received {
  status: number;
  /** Out of the pool of buffers; the answer is its first `length` bytes. */
  memory: Buffer;
  length: number;
}

interface Receiving {
  buffers: BytePool;
  /** Of `performance.now()`: the answer must be whole by then. */
  deadline: number;
}

/** Sends a request and collects its answer in a buffer of the pool, which whoever gets it frees. */
function receive(pool: Pool, request: Dispatcher.DispatchOptions, { buffers, deadline }: Receiving): Promise<Received> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let memory: Buffer | undefined;
    let length = 0;
    let timer: NodeJS.Timeout | undefined;
    const room = (bytes: number): Buffer => {
      if (memory !== undefined && memory.length >= bytes) return memory;
      const larger = buffers.allocate(bytes);
      if (memory !== undefined) {
        memory.copy(larger, 0, 0, length);
        buffers.free(memory);
      }
      memory = larger;
      return larger;
    };
    pool.dispatch(request, {
      onRequestStart() {},
      onResponseStart(controller, statusCode, headers) {
        status = statusCode;
        const announced = Number(headers['content-length'] ?? 0);
        room(announced > 0 && announced <= LARGEST_ANNOUNCED ? announced : 0);
        // The pool's own limit only sees a body that stands still.
        const tooLate = () => controller.abort(new Error('the answer did not arrive in time'));
        clearTimeout(timer);
        timer = setTimeout(tooLate, Math.max(1, deadline - performance.now()));
      },
      onResponseData(_controller, chunk) {
        room(length + chunk.length).set(chunk, length);
        length += chunk.length;
      },
      onResponseEnd() {
        clearTimeout(timer);
        resolve({ status, memory: room(0), length });
      },
      onResponseError(_controller, error) {
        clearTimeout(timer);
        if (memory !== undefined) buffers.free(memory);
        memory = undefined;
        reject(error);
      },
    });
  });
}

/** Bytes of an answer that are made room for on the word of its header. */
const LARGEST_ANNOUNCED = 2 ** 24;
