import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { ServedIndex } from '#domain/index-state.ts';
import { currentVisitorRead, type VisitorRead } from '#domain/read-queues.ts';
import { codeOf, isUnavailable, StoreError } from '#domain/store-error.ts';
import type { IndexGuard } from './index-guard.ts';
import { type Node, Nodes, type NodesOptions } from './nodes.ts';
import { openSearchFailure } from './opensearch-client.ts';

/** The read side of OpenSearch. `index` is null if `body` contains a point in time. */
export interface SearchEngine<Options extends unknown[] = [options?: SearchOptions]> {
  /**
   * Returns a parsed response.
   * @throws StoreError
   */
  search<T>(index: ServedIndex | null, body: Readonly<Record<string, unknown>>, ...options: Options): Promise<T>;
  /**
   * Returns whether any node completes the smallest search that reaches every shard. It needs no cluster manager and,
   * unlike one with `size=0`, no request cache serves it.
   */
  probe(index: ServedIndex, timeout: number): Promise<boolean>;
  /** Returns the number of requests in progress or waiting for a connection. */
  running(): number;
  close(): Promise<void>;
}

/** Every search of a request must pass its deadline. */
export type RequestSearch = SearchEngine<[options: SearchOptions & { deadline: number }]>;

interface SearchOptions {
  /** Deadline as a `performance.now()` timestamp, if earlier than the timeout of the engine. */
  deadline?: number;
}

/** `timeout` also limits a search with the wait for a connection. */
export interface SearchEngineOptions extends NodesOptions {
  indexPrefix?: string;
  /** Called for searches that took at least a second, including failed ones. */
  onSlow?: (search: { ms: number; path: string; body: string }) => void;
  /** If omitted, indexes are not checked. */
  guard?: Pick<IndexGuard, 'check' | 'confirm'>;
}

/** The list of hits starts within this number of bytes. */
const HEAD = 400;
const NO_HITS = '"hits":[]';

/**
 * Milliseconds for which OpenSearch continues after the timeout here: it may not notice that a client left
 * (`search.low_level_cancellation`).
 */
const ENGINE_EXTRA_MS = 1_000;
/** The timeout is part of the key of the engine's request cache, so earlier deadlines are rounded up to few values. */
const ENGINE_STEP_MS = 1_000;

/** A slot of visitors is released after this time even if the engine does not respond. */
const MAX_HELD_MS = 60_000;

/** Queued searches per connection. More would time out. */
const WAITING_PER_CONNECTION = 8;

/** A connection that was kept alive, and that the node closed before or while it received the search. */
const CLOSED: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** Closed connections after which a search is sent again, also with only one node. */
const MAX_CLOSED = 3;

/** A node is excluded for a timeout only if it had at least this share of it. */
const MIN_TIMEOUT_SHARE = 0.9;

/** In milliseconds. */
const SLOW_MS = 1_000;
const MAX_LOGGED_BODY = 10_000;

/** Uses plain keep-alive pools, because the client library takes longer for a page of listings than OpenSearch. */
export function createSearchEngine(options: SearchEngineOptions): SearchEngine {
  const { guard, indexPrefix = '' } = options;
  const nodes = new Nodes(options);
  const bound = nodes.size * options.connections * (1 + WAITING_PER_CONNECTION);
  const engineTimeout = (deadline: number): number => {
    const left = Math.ceil((deadline - performance.now()) / ENGINE_STEP_MS) * ENGINE_STEP_MS;
    return Math.min(options.timeout, Math.max(left, 0)) + ENGINE_EXTRA_MS;
  };
  let running = 0;

  /** Tries the following nodes while nodes are unreachable. */
  const send = async (path: string, body: string, latest: number, visitor?: VisitorRead): Promise<RawResponse> => {
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
          return await nodes.track(node, receive(node, request, deadline, { nodes, visitor }));
        } catch (error) {
          if (error === SILENT) {
            nodes.exclude(node);
            continue;
          }
          // A node that had only the remaining time may be healthy.
          const isUnresponsive = error instanceof StoreError && availableMs >= MIN_TIMEOUT_SHARE * options.timeout;
          if (isUnresponsive || isUnavailable(error)) nodes.exclude(node);
          if (!isUnavailable(error)) throw error;
          const isClosed = CLOSED.has(codeOf(error) ?? '');
          const again = attempt < nodes.size || (isClosed && attempt <= MAX_CLOSED);
          if (!again || performance.now() >= deadline) throw error;
          // A node or balancer that stops closes all of its connections: their ends are read first.
          if (isClosed) await nextTurn();
        }
      }
    } finally {
      running--;
      const ms = performance.now() - begun;
      if (ms >= SLOW_MS) options.onSlow?.({ ms: Math.round(ms), path, body: body.slice(0, MAX_LOGGED_BODY) });
    }
  };
  const search = async <T>(
    ...[index, body, { deadline = Number.POSITIVE_INFINITY } = {}]: Parameters<SearchEngine['search']>
  ): Promise<T> => {
    if (index !== null) guard?.check(index);
    const visitor = currentVisitorRead();
    const parameters = visitor ? ofVisitors(visitor) : parametersOf(engineTimeout(deadline));
    const path = index === null ? `/_search?${parameters}` : `/${indexPrefix}${index}/_search?${LOCAL}&${parameters}`;
    const latest = Math.min(deadline, visitor?.deadline ?? deadline);
    const { status, bytes } = await send(path, JSON.stringify(body), latest, visitor).catch((error: unknown) => {
      throw openSearchFailure(error);
    });
    // A proxy may return a success without the expected content.
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

/**
 * A node searches its own copy of the index, if it has one: another node would cost a round trip, and one that does not
 * respond would delay the searches of all. A point in time names its copies itself.
 */
const LOCAL = 'preference=_local';
/** A response without a failed shard would appear complete. */
const parametersOf = (timeoutMs: number): string => `allow_partial_search_results=false&timeout=${timeoutMs}ms`;
/**
 * The timeout ends the collection of hits and aggregations, and the cancellation what follows. Nothing ends the
 * construction of an automaton (fuzzy words, patterns) in OpenSearch 3.8: it must be bounded before.
 */
const ofVisitors = ({ searchMs }: VisitorRead): string =>
  `${parametersOf(searchMs)}&cancel_after_time_interval=${searchMs}ms`;

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

/** A missing index, or one that is closed for a restore: clients should retry. */
const UNREADY = /index_not_found_exception|index_closed_exception/;
const isUnready = (status: number, text: string): boolean => status >= 400 && UNREADY.test(text);

interface RawResponse {
  status: number;
  bytes: Buffer;
}

/** Ends a search whose node has not responded, while another node responds. */
const SILENT = new Error('The node does not respond.');
/** Milliseconds between checks of a node that may be sent fewer searches later. */
const CHECK_MS = 2_000;

/**
 * A search of a visitor is not aborted after its deadline: it keeps the visitor's slot until the engine has ended it,
 * because the engine does not notice each abort. So it is not sent to another node either.
 * @param deadline `performance.now()` timestamp for the complete response
 * @throws SILENT if it must be sent to another node
 */
async function receive(
  node: Node,
  request: Dispatcher.RequestOptions,
  deadline: number,
  { nodes, visitor }: { nodes: Nodes; visitor: VisitorRead | undefined },
): Promise<RawResponse> {
  // The pool timeouts cover neither the wait for a connection nor a body that arrives byte by byte.
  const late = new AbortController();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const expire = (error: Error): void => {
    reject(error);
    if (!visitor) late.abort(error);
  };
  let timer: NodeJS.Timeout;
  // A response that arrived while this process was busy is read before.
  const wait = (ms: number): void => {
    timer = setTimeout(() => setImmediate(check), Math.max(1, Math.min(ms, deadline - performance.now())));
  };
  const check = (): void => {
    const untilResentMs = visitor ? Number.POSITIVE_INFINITY : nodes.untilResent(node);
    if (performance.now() >= deadline) expire(new StoreError('opensearch', true, new Error('the response timed out')));
    else if (untilResentMs === 0) expire(SILENT);
    else wait(Math.min(untilResentMs, CHECK_MS));
  };
  wait(CHECK_MS);
  const timeouts = visitor && { headersTimeout: MAX_HELD_MS, bodyTimeout: MAX_HELD_MS };
  const received = node.pool
    .request({ ...request, ...timeouts, signal: late.signal })
    .then(async ({ statusCode, body }) => ({ status: statusCode, bytes: Buffer.from(await body.arrayBuffer()) }));
  visitor?.searches.push(received);
  return Promise.race([received, expired]).finally(() => clearTimeout(timer));
}
