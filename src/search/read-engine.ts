import type { Dispatcher } from 'undici';
import type { ServedIndex } from '#domain/index-state.ts';
import { codeOf, isUnavailable, StoreError } from '#domain/store-error.ts';
import { openSearchFailure } from './client.ts';
import type { IndexGuard } from './index-guard.ts';
import { type Node, Nodes } from './nodes.ts';

/** The read side of OpenSearch. `index` is null if `body` contains a point in time. */
export interface SearchEngine<Options extends unknown[] = [options?: SearchOptions]> {
  /**
   * Returns a parsed response.
   * @throws StoreError
   */
  search<T>(index: ServedIndex | null, body: Readonly<Record<string, unknown>>, ...options: Options): Promise<T>;
  /**
   * Returns whether any node completes a search on the index within `timeout` milliseconds. It is the smallest search
   * that reaches every shard. It needs no cluster manager and, unlike one with `size=0`, is not served from the request
   * cache.
   */
  probe(index: ServedIndex, timeout: number): Promise<boolean>;
  /** Returns the number of requests in progress or waiting for a connection. */
  running(): number;
  close(): Promise<void>;
}

/** The search engine for a request: every search must pass the deadline of the request. */
export type RequestSearch = SearchEngine<[options: SearchOptions & { deadline: number }]>;

interface SearchOptions {
  /** Deadline as a `performance.now()` timestamp, if earlier than the timeout of the engine. */
  deadline?: number;
}

export interface SearchEngineOptions {
  urls: readonly string[];
  indexPrefix?: string;
  /** Timeout per search in milliseconds, including the wait for a connection. */
  timeout: number;
  connections: number;
  /** Called for searches that took at least a second, including failed ones. */
  onSlow?: (search: { ms: number; path: string; body: string }) => void;
  /** If omitted, indexes are not checked. */
  guard?: Pick<IndexGuard, 'check' | 'confirm'>;
}

/** The start of the list of hits is within this number of bytes from the start of a response. */
const HEAD = 400;
const NO_HITS = '"hits":[]';

/**
 * Milliseconds for which OpenSearch continues a search that has timed out here: it need not notice that a client has
 * left (`search.low_level_cancellation`), and its clock is coarse.
 */
const ENGINE_EXTRA_MS = 1_000;

/** Maximum number of queued searches per connection. Further searches are refused, because they would time out. */
const WAITING_PER_CONNECTION = 8;

/** Share of the timeout that a node must have had to be excluded for a response that timed out. */
const MIN_TIMEOUT_SHARE = 0.9;

/** Duration in milliseconds from which a search counts as slow. */
const SLOW_MS = 1_000;
const MAX_LOGGED_BODY = 10_000;

/**
 * Creates the engine for reads, which uses plain keep-alive pools, because the client library takes longer for a page
 * of listings than OpenSearch. All other requests use the client library.
 */
export function createSearchEngine(options: SearchEngineOptions): SearchEngine {
  const { guard, indexPrefix = '' } = options;
  const nodes = new Nodes(options);
  const bound = nodes.size * options.connections * (1 + WAITING_PER_CONNECTION);
  const parameters = `allow_partial_search_results=false&timeout=${options.timeout + ENGINE_EXTRA_MS}ms`;
  let running = 0;

  /** Sends a request to the next node in turn. While nodes are unreachable, tries the following nodes. */
  const send = async (path: string, body: string, latest = Number.POSITIVE_INFINITY): Promise<Received> => {
    if (running >= bound) throw new StoreError('opensearch', true, new Error(`${running} searches are under way`));
    const begun = performance.now();
    const deadline = Math.min(begun + options.timeout, latest);
    running++;
    try {
      for (let attempt = 1; ; attempt++) {
        const node = nodes.next();
        const availableMs = deadline - performance.now();
        try {
          const request = { method: 'POST' as const, path: `${node.prefix}${path}`, headers: node.headers, body };
          return await receive(node, request, deadline);
        } catch (error) {
          // A node that had only the remaining time of a request or of an earlier attempt may be healthy.
          const isUnresponsive = error instanceof StoreError && availableMs >= MIN_TIMEOUT_SHARE * options.timeout;
          if (isUnresponsive || isUnavailable(error)) nodes.exclude(node);
          if (!isUnavailable(error)) throw error;
          // If the peer closed a kept-alive connection, the request is retried even when there is only one node.
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
  const search = async <T>(...[index, body, { deadline } = {}]: Parameters<SearchEngine['search']>): Promise<T> => {
    if (index !== null) guard?.check(index);
    // If a shard fails, the search must fail: a response with half of the listings would appear complete.
    const path = `${index === null ? '' : `/${indexPrefix}${index}`}/_search?${parameters}`;
    const { status, bytes } = await send(path, JSON.stringify(body), deadline).catch((error: unknown) => {
      throw openSearchFailure(error);
    });
    // A success without the expected content comes from a proxy and must not be treated as an empty page.
    if (status !== 200 || !bytes.includes('"hits":')) throw failed(status, bytes.toString('utf8', 0, 500));
    // An empty result may mean that the index is lost.
    if (index !== null && isEmpty(bytes)) await guard?.confirm(index);
    return JSON.parse(bytes.toString('utf8')) as T;
  };
  return {
    search,
    probe: (index, timeout) => nodes.probe(`/${indexPrefix}${index}${SMALLEST_SEARCH}`, timeout, '"hits":'),
    running: () => running,
    close: () => nodes.close(),
  };
}

/** A response is empty if the list of hits is empty and the total is missing or zero. */
const isEmpty = (bytes: Buffer): boolean =>
  bytes.subarray(0, HEAD).includes(NO_HITS) && !/"total":\{"value":[1-9]/.test(bytes.toString('latin1', 0, HEAD));

const SMALLEST_SEARCH =
  '/_search?size=1&_source=false&terminate_after=1&track_total_hits=false&allow_partial_search_results=false';

const failed = (status: number, text: string): StoreError =>
  new StoreError(
    'opensearch',
    status === 429 || status === 503 || isUnready(status, text),
    new Error(`${status} ${text}`),
  );

/** A missing index, or one that is closed for a restore. Clients should retry in both cases. */
const UNREADY = /index_not_found_exception|index_closed_exception/;
const isUnready = (status: number, text: string): boolean => status >= 400 && UNREADY.test(text);

interface Received {
  status: number;
  bytes: Buffer;
}

/**
 * Sends a request and collects the response.
 * @param deadline `performance.now()` timestamp for the complete response
 */
function receive({ pool }: Node, request: Dispatcher.DispatchOptions, deadline: number): Promise<Received> {
  return new Promise((resolve, reject) => {
    let status = 0;
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | undefined;
    // The pool timeouts cover neither the wait for a connection nor a response body that arrives byte by byte.
    let late: StoreError | undefined;
    let ended = false;
    const expire = (): void => {
      if (ended) return;
      // The error is created on demand, because capturing a stack trace for every search costs more than its timer.
      late = new StoreError('opensearch', true, new Error('the response timed out'));
      controller?.abort(late);
      reject(late);
    };
    // A response that arrived while this process was busy is read before.
    const timer = setTimeout(() => setImmediate(expire), Math.max(1, deadline - performance.now()));
    const end = (): void => {
      ended = true;
      clearTimeout(timer);
    };
    pool.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (late) started.abort(late);
      },
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        end();
        resolve({ status, bytes: Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        end();
        reject(error);
      },
    });
  });
}
