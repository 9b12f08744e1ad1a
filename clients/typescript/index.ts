import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { components, operations, paths } from './schema.js';
export type Listing = components['schemas']['Listing'];

export interface ClientOptions {
  /** Base URL of the API with the version: `https://api.example.com/v1`. */
  baseUrl: string;
  /** API key. Keep it on a server. */
  key: string;
  /** Maximum number of retries per request. Default: 4. */
  retries?: number;
  /** Maximum `Retry-After` in seconds that is waited for. Default: 120. An exceeded quota can require days. */
  longestWait?: number;
  /** Timeout of one attempt in milliseconds. Default: 30,000. */
  timeout?: number;
  fetch?: (request: Request) => Promise<Response>;
}

/** An error response. Branch on `code`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly requestId: string | null;

  constructor(status: number, body: unknown, requestId: string | null) {
    const error = (body as { error?: { code?: string; message?: string; param?: string | null } } | undefined)?.error;
    super(error?.message ?? `The service responded with status ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = error?.code ?? 'unknown';
    this.param = error?.param ?? null;
    this.requestId = requestId;
  }
}

/** More rows exist than the plan's paging depth allows. Narrow the filters. */
export class ResultWindowError extends Error {
  override name = 'ResultWindowError';
}

type Row<Path extends keyof paths> = paths[Path] extends {
  get: {
    responses: {
      200: { content: { 'application/json': { data: (infer Item)[]; pagination: { next_cursor: string | null } } } };
    };
  };
}
  ? Item
  : never;
/** Paths of paged lists. */
export type PagedPath = { [Path in keyof paths]: [Row<Path>] extends [never] ? never : Path }[keyof paths];
type ParametersOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: infer Parameters } }
  ? Omit<Parameters, 'header' | 'cookie'>
  : never;

export interface ListingsClient extends Client<paths> {
  /**
   * Yields every row of a list, page by page.
   * @throws ApiError, or ResultWindowError after the last row within the plan's paging depth if more rows exist
   */
  each<Path extends PagedPath>(path: Path, parameters: ParametersOf<Path>): AsyncGenerator<Row<Path>, void, undefined>;
  /**
   * Yields listings modified at or after `since`, oldest change first, page by page, even beyond the paging depth. Store the
   * listings of a page and its `since` together, and pass the last `since` to the next call. Removed listings are not
   * included.
   * @param since null for all listings
   * @throws ApiError
   */
  changes(search: ChangesSearch, since: string | null): AsyncGenerator<Changes, void, undefined>;
  /**
   * Yields the changes of a copy of the search results, page by page, removed listings included. In one transaction, store
   * each listing with `state.began`, remove listings whose `listing` is null, store `state`, and if `isComplete`, remove listings
   * that were stored with an earlier `began`. Pass the stored state to the next call.
   * Begins again if the position has expired, and every 28 days, as the data-use terms require.
   * @param state null for an empty copy
   * @throws ApiError
   */
  sync(search: SyncSearch, state: SyncState | null): AsyncGenerator<SyncPage, void, undefined>;
}

type ChangesQuery = paths['/listings/changes']['get']['parameters']['query'];
export interface SyncSearch extends Pick<ChangesQuery, 'city' | 'listing_type' | 'limit'> {
  /** Whether to wait for later changes instead of returning. */
  follow?: boolean;
}

/** Where a copy continues. Can be stored as JSON. */
export interface SyncState {
  position: string;
  stream: string | null;
  /** When the copy began to read all listings, in epoch milliseconds. */
  began: number;
}

export interface SyncPage {
  changes: paths['/listings/changes']['get']['responses'][200]['content']['application/json']['data'];
  state: SyncState;
  /** Whether the copy equals the search results. */
  isComplete: boolean;
}

type SearchQuery = paths['/listings']['get']['parameters']['query'];
/** Filters for `changes`: only these do not change during the lifetime of a listing. */
export type ChangesSearch = Pick<SearchQuery, 'city' | 'listing_type' | 'limit'>;

export interface Changes {
  listings: Listing[];
  since: string;
}

/** Milliseconds after which a copy reads all listings again. */
const MAX_AGE = 28 * 86_400_000;
/** In seconds, below the default timeout. */
const LONGEST_WAIT = 20;

interface Page {
  data: unknown[];
  pagination: { next_cursor: string | null; has_more: boolean; result_window_reached: boolean; watermark?: string };
}

interface PageResult {
  data?: Page;
  error?: unknown;
  response: Response;
}

/**
 * Creates a client for the whole API: `GET` and `POST` with the paths in `openapi.json`, and `each` for lists. Retries
 * requests after 429, 5xx, 409 with `Retry-After` and lost connections: every GET, and every POST, which gets an
 * `Idempotency-Key`.
 */
export function createClient(options: ClientOptions): ListingsClient {
  const client = createFetchClient<paths>({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${options.key}` },
    fetch: withRetries(options),
    // Multiple values of one parameter are separated by commas.
    querySerializer: { array: { style: 'form', explode: false } },
  });
  client.use({
    onRequest({ request }) {
      if (request.method === 'POST' && !request.headers.has('Idempotency-Key'))
        request.headers.set('Idempotency-Key', crypto.randomUUID());
      return request;
    },
  });
  const get = client.GET as unknown as (path: string, init: object) => Promise<PageResult>;

  async function* each(path: string, parameters: { path?: object; query?: object }): AsyncGenerator<unknown> {
    let cursor: string | null = null;
    do {
      const query: object = { ...parameters.query, ...(cursor === null ? {} : { cursor }) };
      const { data, pagination } = unwrap(await get(path, { params: { ...parameters, query } }));
      yield* data;
      if (pagination.result_window_reached)
        throw new ResultWindowError(`${path} has more rows than the plan's paging depth.`);
      cursor = pagination.next_cursor;
    } while (cursor !== null);
  }

  async function* changes(search: ChangesSearch, since: string | null): AsyncGenerator<Changes> {
    let cursor: string | null = null;
    for (let from = since; ; ) {
      const after: object = {
        ...(from === null ? {} : { modified_since: from }),
        ...(cursor === null ? {} : { cursor }),
      };
      const query = { ...search, sort: 'modified_asc', ...after };
      const page: Page = unwrap(await get('/listings', { params: { query } }));
      const { pagination } = page;
      const listings = page.data as Listing[];
      const next = pagination.has_more ? listings.at(-1)?.modified_at : pagination.watermark;
      const hasMore = pagination.has_more || pagination.result_window_reached;
      if (next === undefined) throw new Error('The page has neither rows nor a watermark.');
      yield { listings, since: next };
      if (!hasMore) return;
      cursor = pagination.next_cursor;
      // At the paging depth, a new search starts from the last row.
      if (cursor === null) from = next;
    }
  }
  async function* sync({ follow = false, ...search }: SyncSearch, state: SyncState | null): AsyncGenerator<SyncPage> {
    const begin = (): SyncState => ({ position: 'earliest', stream: null, began: Date.now() });
    for (let from = state ?? begin(), wait_s = 0; ; ) {
      if (from.began < Date.now() - MAX_AGE) from = begin();
      const { position: after, stream } = from;
      const query = { ...search, after, wait_s, ...(stream === null ? {} : { stream }) };
      const result = await client.GET('/listings/changes', { params: { query } });
      if (result.error?.error.code === 'position_expired') {
        from = begin();
        continue;
      }
      const { data, pagination } = unwrap(result);
      from = { position: String(pagination.next), stream: pagination.stream, began: from.began };
      yield { changes: data, state: from, isComplete: !pagination.has_more };
      if (!pagination.has_more && !follow) return;
      wait_s = pagination.has_more ? 0 : LONGEST_WAIT;
    }
  }
  return Object.assign(client, { each, changes, sync }) as unknown as ListingsClient;
}

/**
 * Returns a result's data.
 * @throws ApiError
 */
export function unwrap<Data>(result: { data?: Data; error?: unknown; response: Response }): Data {
  if (result.response.ok && result.data !== undefined) return result.data;
  throw new ApiError(result.response.status, result.error, result.response.headers.get('X-Request-Id'));
}

function withRetries({ retries = 4, longestWait = 120, timeout = 30_000, fetch = globalThis.fetch }: ClientOptions) {
  return async (request: Request): Promise<Response> => {
    for (let attempt = 0; ; attempt++) {
      const last = attempt >= retries;
      let wait: number | null;
      try {
        const limit = AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]);
        // A body can be sent only once, so each attempt except the last sends a copy.
        const response = await fetch(new Request(last ? request : request.clone(), { signal: limit }));
        wait = waitOf(response, attempt);
        if (last || wait === null || wait > longestWait) return response;
        await response.body?.cancel();
      } catch (error) {
        if (last || request.signal.aborted) throw error;
        wait = backoff(attempt);
      }
      await pause(wait * 1_000, request.signal);
    }
  };
}

/** Seconds until a request is retried; null if a retry would not help. */
function waitOf({ status, headers }: Response, attempt: number): number | null {
  const asked = headers.get('Retry-After');
  if (status === 429 || (status === 409 && asked !== null)) return Number(asked ?? Number.NaN) || backoff(attempt);
  if (status < 500) return null;
  return asked === null ? backoff(attempt) : Number(asked) || backoff(attempt);
}

/** 0.5, 1, 2, 4 seconds, each with up to 50% jitter, so that clients that failed together do not retry together. */
const backoff = (attempt: number): number => 0.5 * 2 ** attempt * (1 + Math.random() / 2);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
  });
}
