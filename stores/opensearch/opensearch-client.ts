import { Client, errors } from '@opensearch-project/opensearch';
import { SERVED_INDEXES, type ServedIndex } from '#domain/index-state.ts';
import { isUnavailable, StoreError } from '#domain/store-error.ts';

export interface OpenSearchOptions {
  urls: readonly string[];
  /** Prefix of all index names, so that installations can share a cluster. */
  indexPrefix?: string;
  /** Copies of an index, at most one on a node. */
  copies?: number;
  /** Timeout per request, in milliseconds. */
  requestTimeout?: number;
  maxRetries?: number;
}

interface SendOptions {
  body?: object;
  /** Lines; objects are serialized. */
  bulkBody?: string | object[];
  query?: Readonly<Record<string, string>>;
  requestTimeout?: number;
  maxRetries?: number;
  /** Status codes of failures whose response is returned. */
  ignore?: number[];
}

/** A client for the indexes of one installation. */
export class OpenSearch extends Client {
  readonly prefix: string;
  /** Range of replicas, of which the cluster keeps as many as it has other data nodes. */
  readonly replicas: string;
  /** Each index has a template of the same name. */
  readonly aliases: Readonly<Record<ServedIndex, string>>;

  constructor({ urls, indexPrefix = '', copies = 2, requestTimeout = 5_000, maxRetries = 1 }: OpenSearchOptions) {
    super({ nodes: [...urls], requestTimeout, maxRetries });
    this.prefix = indexPrefix;
    this.replicas = `0-${copies - 1}`;
    this.aliases = Object.fromEntries(SERVED_INDEXES.map((name) => [name, indexPrefix + name])) as Record<
      ServedIndex,
      string
    >;
  }

  /** @returns the body of the response */
  async send<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { body, bulkBody, query, ...options }: SendOptions = {},
  ): Promise<T> {
    const response = await this.transport.request({ method, path, body, bulkBody, querystring: query }, options);
    return response.body as T;
  }
}

export async function withOpenSearch<T>(
  options: OpenSearchOptions,
  work: (client: OpenSearch) => Promise<T>,
): Promise<T> {
  const client = new OpenSearch(options);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/**
 * For requests that create, refresh, copy or compare indexes. They can take over 30 seconds on a slow cluster, and no
 * API client waits for them.
 */
export const ADMIN_REQUEST = { requestTimeout: 120_000 } as const;

export function openSearchFailure(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const unavailable =
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError ||
    (error instanceof errors.ResponseError && [429, 502, 503, 504].includes(error.statusCode ?? 0)) ||
    isUnavailable(error);
  return new StoreError('opensearch', unavailable, error);
}
