import type { Dispatcher } from 'undici';
import { codeOf, isUnavailable, StoreError } from '#domain/store-error.ts';
import { activeSpan, inSpan, type SpanOptions } from '#tracing/span.ts';
import { BytePool } from './byte-pool.ts';
import { openSearchFailure } from './failures.ts';
import { type Node, Nodes } from './nodes.ts';

/** A response in pooled memory: its bytes are valid until `free`. */
export interface SearchAnswer {
  bytes: Buffer;
  /** Repeated calls have no effect. */
  free(): void;
}

/**
 * The read side of OpenSearch: requests compiled by query builders, responses as bytes or values. The index is null for a
 * body with a point in time.
 */
export interface SearchEngine<Options extends unknown[] = [options?: SearchOptions]> {
  /** Returns an unparsed response, to be freed after reading. @throws StoreError */
  searchPooled(
    index: string | null,
    body: Readonly<Record<string, unknown>>,
    ...options: Options
  ): Promise<SearchAnswer>;
  /** Returns an unparsed response in its own memory. @throws StoreError */
  searchBytes(index: string | null, body: Readonly<Record<string, unknown>>, ...options: Options): Promise<Buffer>;
  /** Returns a parsed response. @throws StoreError */
  search<T>(index: string | null, body: Readonly<Record<string, unknown>>, ...options: Options): Promise<T>;
  /**
   * Returns parsed responses of several searches of one index, in one round trip: each begins when the previous has ended.
   * @throws StoreError if one of them fails
   */
  searchInTurn(
    index: string,
    bodies: readonly Readonly<Record<string, unknown>>[],
    options?: SearchOptions & {
      /** Whether the engine may cache the response to the last search. Defaults to true. */
      keepLast?: boolean;
    },
  ): Promise<unknown[]>;
  /** Returns whether any node completes a search of the index before the timeout, in milliseconds. */
  probe(index: string, timeout: number): Promise<Searchable>;
  /** Returns the number of requests in progress or waiting for a connection. */
  running(): number;
  close(): Promise<void>;
}

/**
 * Whether an index can be searched: `missing` if no node completes a search and one reports that the index does not exist.
 */
type Searchable = 'ok' | 'missing' | 'unavailable';

/** The engine of a request: every search has the deadline of the request. */
export type RequestSearch = SearchEngine<[options: SearchOptions & { deadline: number }]>;

interface SearchOptions {
  /** Searches with the same preference use the same replicas. Accepts letters, digits, `-` and `_`, but no leading `_`. */
  preference?: string;
  /** Deadline by `performance.now()`, if earlier than the timeout of the engine. */
  deadline?: number;
}

/** Tracks which indexes can be read, by the names that searches use. */
export interface ReadGuard {
  /** @throws StoreError if the index is lost */
  check(index: string): void;
  /** Checks again with the state after this call. @throws StoreError */
  confirm(index: string): Promise<void>;
}

export interface SearchEngineOptions {
  urls: readonly string[];
  /** Timeout of a search in milliseconds, including its wait for a connection. */
  timeout: number;
  /** Maximum number of connections to each node. */
  connections: number;
  /** Called for searches that took at least a second, including failed ones. `body` is cut after 10,000 characters. */
  onSlow?: (search: { ms: number; path: string; body: string }) => void;
  /** Without a guard, indexes are not checked. */
  guard?: ReadGuard;
}

/** The list of hits begins within this number of bytes of a response. */
const HEAD = 400;
const NO_HITS = '"hits":[]';

/** Maximum number of waiting searches per connection. More would time out. */
const WAITING_PER_CONNECTION = 8;

/** Milliseconds from which a search is slow. */
const SLOW_MS = 1_000;
const MAX_LOGGED_BODY = 10_000;

/**
 * The client library reads responses as text and parses them. Pages of listings are served as received bytes, so reads use
 * plain keep-alive pools. Everything else uses the client.
 */
export function createSearchEngine(options: SearchEngineOptions): SearchEngine {
  const { guard } = options;
  const nodes = new Nodes(options);
  const buffers = new BytePool();
  const bound = nodes.size * options.connections * (1 + WAITING_PER_CONNECTION);
  let running = 0;

  /** Sends a request to the next node in turn, and if that is unreachable, to the one after it. */
  const send = async (path: string, body: string, latest = Number.POSITIVE_INFINITY): Promise<Received> => {
    if (running >= bound) throw new StoreError('opensearch', true, new Error(`${running} searches are under way`));
    const begun = performance.now();
    const deadline = Math.min(begun + options.timeout, latest);
    running++;
    try {
      for (let attempt = 1; ; attempt++) {
        const node = nodes.next();
        try {
          const headers = { ...node.headers, ...opaqueId() };
          const request = { method: 'POST' as const, path: `${node.prefix}${path}`, headers, body };
          return await inSpan(spanOf(path), () => receive(node, request, { buffers, deadline }));
        } catch (error) {
          if (error instanceof StoreError || isUnavailable(error)) nodes.exclude(node);
          if (!isUnavailable(error)) throw error;
          // A kept-alive connection that the peer closed in the meantime does not mean that the only node is unavailable.
          const again = attempt < nodes.size || (attempt === 1 && codeOf(error) === 'UND_ERR_SOCKET');
          if (!again || performance.now() >= deadline) throw error;
        }
      }
    } finally {
      running--;
      const ms = performance.now() - begun;
      if (ms >= SLOW_MS) options.onSlow?.({ ms: Math.round(ms), path, body: body.slice(0, MAX_LOGGED_BODY) });
    }
  };
  /** Sends a request and returns the response if a marker shows its success. */
  const ask = async (path: string, body: string, marker: string, deadline?: number): Promise<SearchAnswer> => {
    const { status, memory, length } = await send(path, body, deadline).catch((error: unknown) => {
      throw openSearchFailure(error);
    });
    const bytes = memory.subarray(0, length);
    let freed = false;
    const free = (): void => {
      if (!freed) buffers.free(memory);
      freed = true;
    };
    // A success without the expected content comes from an intermediary; treated as a response it would be an empty page.
    if (status === 200 && bytes.includes(marker)) return { bytes, free };
    const failure = failed(status, bytes.toString('utf8', 0, 500));
    free();
    throw failure;
  };
  /** Reads a serving index. After an empty result, checks that the index still serves. */
  const guarded = async (
    index: string | null,
    isEmpty: (bytes: Buffer) => boolean,
    read: () => Promise<SearchAnswer>,
  ): Promise<SearchAnswer> => {
    if (!guard || index === null) return read();
    guard.check(index);
    const answer = await read();
    if (isEmpty(answer.bytes)) {
      await guard.confirm(index).catch((error: unknown) => {
        answer.free();
        throw error;
      });
    }
    return answer;
  };
  const searchPooled: SearchEngine['searchPooled'] = (index, body, { preference, deadline } = {}) => {
    // A failed shard must fail the search: half of the listings would look complete.
    const path = `${index === null ? '' : `/${index}`}/_search?allow_partial_search_results=false${preference === undefined ? '' : `&preference=${preference}`}`;
    return guarded(
      index,
      // A response is empty if its list of hits is empty and its total is missing or zero.
      (bytes) =>
        bytes.subarray(0, HEAD).includes(NO_HITS) && !/"total":\{"value":[1-9]/.test(bytes.toString('latin1', 0, HEAD)),
      () => ask(path, JSON.stringify(body), '"hits":', deadline),
    );
  };
  const searchInTurn: SearchEngine['searchInTurn'] = async (
    index,
    bodies,
    { preference, deadline, keepLast = true } = {},
  ) => {
    const lines = bodies.map((body, at) => {
      const kept = keepLast || at < bodies.length - 1 ? {} : { request_cache: false };
      const head = { preference, allow_partial_search_results: false, ...kept };
      return `${JSON.stringify(head)}\n${JSON.stringify(body)}\n`;
    });
    const path = `/${index}/_msearch?max_concurrent_searches=1`;
    const { bytes, free } = await guarded(
      index,
      (found) => found.includes('"total":{"value":0,'),
      () => ask(path, lines.join(''), '"responses":', deadline),
    );
    try {
      const { responses } = JSON.parse(bytes.toString('utf8')) as { responses: { status: number }[] };
      for (const answer of responses)
        if (answer.status !== 200) throw failed(answer.status, JSON.stringify(answer).slice(0, 500));
      if (responses.length !== bodies.length) throw failed(200, 'fewer responses than searches');
      return responses;
    } finally {
      free();
    }
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
    searchInTurn,
    searchBytes: (...asked) => readSearch((answer) => Buffer.from(answer), ...asked),
    search: <T>(...asked: Parameters<typeof searchPooled>) =>
      readSearch((answer) => JSON.parse(answer.toString('utf8')) as T, ...asked),
    probe: (index, timeout) => probe(nodes, index, timeout),
    running: () => running,
    close: () => nodes.close(),
  };
}

/** Returns a header by which OpenSearch names the request in its slow log and its list of tasks; none without a trace. */
function opaqueId(): { 'x-opaque-id'?: string } {
  const trace = activeSpan()?.trace;
  return trace ? { 'x-opaque-id': `${trace.traceId}/${trace.requestId ?? ''}` } : {};
}

/** Describes a request by its path, such as `/listings/_search?...`. */
function spanOf(path: string): SpanOptions {
  const [, index, operation] = /^(?:\/([^/]+))?\/_(\w+)/.exec(path) ?? [];
  const attributes = { 'db.system.name': 'opensearch', 'db.operation.name': operation, 'db.collection.name': index };
  return { name: `opensearch ${operation}`, kind: 'client', attributes };
}

/**
 * Checks whether a node can serve reads, with the smallest search that reaches every shard. It needs no cluster manager and,
 * unlike `size=0`, is not served from the request cache.
 */
async function probe(nodes: Nodes, index: string, timeout: number): Promise<Searchable> {
  const path = `/${index}/_search?size=1&_source=false&terminate_after=1&track_total_hits=false&allow_partial_search_results=false`;
  const results = nodes.all(path, timeout, (status, text): Searchable => {
    if (status === 200 && text.includes('"hits":')) return 'ok';
    return isLost(status, text) ? 'missing' : 'unavailable';
  });
  const ok = results.map(async (result) => {
    if ((await result) !== 'ok') throw new Error('not ok');
  });
  return Promise.any(ok).then(
    () => 'ok',
    async () => ((await Promise.all(results)).includes('missing') ? 'missing' : 'unavailable'),
  );
}

const failed = (status: number, text: string): StoreError =>
  new StoreError(
    'opensearch',
    status === 429 || status === 503 || isLost(status, text),
    new Error(`${status} ${text}`),
  );

/** Returns whether a response reports a missing index, or an index that is closed for a restore. Clients should retry. */
const isLost = (status: number, text: string): boolean =>
  status >= 400 && (text.includes('index_not_found_exception') || text.includes('index_closed_exception'));

interface Received {
  status: number;
  /** A pooled buffer; the response is its first `length` bytes. */
  memory: Buffer;
  length: number;
}

interface Receiving {
  buffers: BytePool;
  /** Deadline of the complete response, by `performance.now()`. */
  deadline: number;
}

/** Sends a request and collects its response in a pooled buffer, which the caller frees. */
function receive(
  { pool }: Node,
  request: Dispatcher.DispatchOptions,
  { buffers, deadline }: Receiving,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let memory: Buffer | undefined;
    let length = 0;
    let controller: Dispatcher.DispatchController | undefined;
    // The timeouts of the pools cover neither the wait for a connection nor a body that arrives byte by byte.
    let late: StoreError | undefined;
    const timer = setTimeout(
      () => {
        // Created on demand: a stack for every search costs more than its timer.
        late = new StoreError('opensearch', true, new Error('the response timed out'));
        controller?.abort(late);
        reject(late);
      },
      Math.max(1, deadline - performance.now()),
    );
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
      onRequestStart(started) {
        controller = started;
        // The wait for a connection exceeded the deadline.
        if (late) started.abort(late);
      },
      onResponseStart(_controller, statusCode, headers) {
        status = statusCode;
        const announced = Number(headers['content-length'] ?? 0);
        room(announced > 0 && announced <= MAX_ANNOUNCED ? announced : 0);
      },
      onResponseData(_controller, chunk) {
        room(length + chunk.length).set(chunk, length);
        length += chunk.length;
      },
      onResponseEnd() {
        clearTimeout(timer);
        const whole = room(0);
        if (late) buffers.free(whole);
        else resolve({ status, memory: whole, length });
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

/** Maximum number of bytes that are allocated in advance, according to the `content-length` header. */
const MAX_ANNOUNCED = 2 ** 24;
