import { Client } from '@opensearch-project/opensearch';
import { SERVED_INDEXES, type ServedIndex } from '#domain/index-state.ts';

export interface OpenSearchOptions {
  urls: readonly string[];
  /** Prefix of the names of all indexes, which allows several installations to share a cluster. */
  indexPrefix?: string;
  /** Timeout per request, in milliseconds. */
  requestTimeout?: number;
  maxRetries?: number;
}

interface SendOptions {
  body?: object;
  bulkBody?: string | Buffer;
  query?: Readonly<Record<string, string>>;
  requestTimeout?: number;
  maxRetries?: number;
  /** Status codes of failures whose response is returned. */
  ignore?: number[];
}

/** A client for the indexes of one installation, with keep-alive connections and a timeout on every request. */
export class OpenSearch extends Client {
  readonly prefix: string;
  /** Aliases of all indexes. Each index has a template of the same name. */
  readonly aliases: Readonly<Record<ServedIndex, string>>;

  constructor({ urls, indexPrefix = '', requestTimeout = 5_000, maxRetries = 1 }: OpenSearchOptions) {
    super({ nodes: [...urls], requestTimeout, maxRetries });
    this.prefix = indexPrefix;
    this.aliases = Object.fromEntries(SERVED_INDEXES.map((name) => [name, indexPrefix + name])) as Record<
      ServedIndex,
      string
    >;
  }

  /** Sends a request. @returns the body of the response */
  async send<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { body, bulkBody, query, ...options }: SendOptions = {},
  ): Promise<T> {
    const response = await this.transport.request({ method, path, body, bulkBody, querystring: query }, options);
    return response.body as T;
  }
}

/** Runs `work` with a client, which is closed afterwards. */
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
 * Options for administrative requests that create, refresh, copy or compare indexes. No API client waits for them. They
 * can take more than 30 seconds on a cluster with a slow disk or a long queue of pending tasks.
 */
export const ADMIN_REQUEST = { requestTimeout: 120_000 } as const;
