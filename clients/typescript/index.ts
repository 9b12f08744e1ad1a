import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { components, operations, paths } from './schema.js';
export type Listing = components['schemas']['Listing'];

export interface ClientOptions {
  /** Root of the API, with the version: `https://api.example.com/v1`. */
  baseUrl: string;
  /** Keep it on a server. */
  key: string;
  /** Times that a request is sent again; 4 when not said. */
  retries?: number;
  /** Seconds that a `Retry-After` is waited for at most; 120 when not said. A quota that is spent asks for days. */
  longestWait?: number;
  /** Milliseconds that one attempt may take; 30,000 when not said. */
  timeout?: number;
  fetch?: (request: Request) => Promise<Response>;
}

/** An answer that says what went wrong. Branch on `code`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly requestId: string | null;

  constructor(status: number, body: unknown, requestId: string | null) {
    const error = (body as { error?: { code?: string; message?: string; param?: string | null } } | undefined)?.error;
    super(error?.message ?? `The service answered ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = error?.code ?? 'unknown';
    this.param = error?.param ?? null;
    this.requestId = requestId;
  }
}

/** More rows exist than the plan lets anyone page through: narrow the filters. */
export class ResultWindowError extends Error {
  override name = 'ResultWindowError';
}

type Row<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': { data: (infer Item)[]; pagination: object } } } } };
}
  ? Item
  : never;
/** Paths whose answers come in pages. */
export type PagedPath = { [Path in keyof paths]: [Row<Path>] extends [never] ? never : Path }[keyof paths];
type ParametersOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: infer Parameters } }
  ? Omit<Parameters, 'header' | 'cookie'>
  : never;

export interface ListingsClient extends Client<paths> {
  /**
   * Every row of a list, page by page.
   * @throws ApiError; ResultWindowError behind the last row that the plan lets anyone page to, when there are more
   */
  each<Path extends PagedPath>(path: Path, parameters: ParametersOf<Path>): AsyncGenerator<Row<Path>, void, undefined>;
  /**
   * Listings modified at or after `since`, the oldest change first, page by page, also beyond the paging depth. Store the
   * listings of a page and its `since` together, and pass the last `since` to the next call. Removed listings are not in it.
   * @param since null: everything
   * @throws ApiError
   */
  changes(search: ChangesSearch, since: string | null): AsyncGenerator<Changes, void, undefined>;
}

type SearchQuery = paths['/listings']['get']['parameters']['query'];
/** What is copied. Of the filters, only these stay true of a listing that changes. */
export type ChangesSearch = Pick<SearchQuery, 'city' | 'listing_type' | 'limit'>;

export interface Changes {
  listings: Listing[];
  since: string;
}

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
 * A client of the whole API: `GET` and `POST` with the paths of `openapi.json`, and `each` for lists. A request that may be
 * repeated is, when the service asks for it or cannot answer: every GET, and every POST, which gets an `Idempotency-Key`.
 */
export function createClient(options: ClientOptions): ListingsClient {
  const client = createFetchClient<paths>({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${options.key}` },
    fetch: withRetries(options),
    // Several values of one parameter have commas between them.
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
      if (next === undefined) throw new Error('The page has neither rows nor a watermark.');
      yield { listings, since: next };
      if (!pagination.has_more) return;
      cursor = pagination.next_cursor;
      // At the paging depth a new search starts from the last row.
      if (cursor === null) from = next;
    }
  }
  return Object.assign(client, { each, changes }) as unknown as ListingsClient;
}

/** The data of a result. @throws ApiError */
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
        // A body can be sent once: each attempt but the last sends a copy.
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

/** Seconds until a request is to be sent again; null where sending it again changes nothing. */
function waitOf({ status, headers }: Response, attempt: number): number | null {
  const asked = headers.get('Retry-After');
  if (status === 429 || (status === 409 && asked !== null)) return Number(asked ?? Number.NaN) || backoff(attempt);
  if (status < 500) return null;
  return asked === null ? backoff(attempt) : Number(asked) || backoff(attempt);
}

/** Half a second, one, two, four, each up to a half longer: clients that failed together do not come back together. */
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
