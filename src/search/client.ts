import { Client } from '@opensearch-project/opensearch';
import { SERVED_INDEXES } from '#domain/index-state.ts';

export interface OpenSearchOptions {
  urls: readonly string[];
  /** Timeout per request, in milliseconds. */
  requestTimeout?: number;
  maxRetries?: number;
}

/** Creates a client with keep-alive connections and a timeout on every request. */
export function createOpenSearch(options: OpenSearchOptions): Client {
  return new Client({
    nodes: [...options.urls],
    requestTimeout: options.requestTimeout ?? 5_000,
    maxRetries: options.maxRetries ?? 1,
  });
}

/** Runs `work` with a client, which is closed afterwards. */
export async function withOpenSearch<T>(options: OpenSearchOptions, work: (client: Client) => Promise<T>): Promise<T> {
  const client = createOpenSearch(options);
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

/** All indexes. Each has a template of the same name. `history` has the months during which listings were on the market. */
export const INDEXES = [...SERVED_INDEXES, 'neighborhoods', 'cities'] as const;
export type IndexName = (typeof INDEXES)[number];

/** Returns the aliases of all indexes with a prefix, which allows several installations to share a cluster. */
export const indexNames = (prefix: string): Readonly<Record<IndexName, string>> =>
  Object.fromEntries(INDEXES.map((name) => [name, prefix + name])) as Record<IndexName, string>;
