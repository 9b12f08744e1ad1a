import { Client } from '@opensearch-project/opensearch';

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

/** Names of the indexes and aliases in an installation. */
export interface IndexNames {
  listings: string;
  neighborhoods: string;
  cities: string;
  /** For each listing, the month intervals during which it was on the market. Used for trends. */
  history: string;
  deals: string;
  /** Registered sale deals. */
  transactions: string;
  /** Off-plan projects. */
  projects: string;
  /** Developers of off-plan projects. */
  developers: string;
  /** Filters of webhook endpoints, stored as percolator queries. */
  webhooks: string;
}

/** Returns the names with a prefix, which allows several installations to share a cluster. */
export function indexNames(prefix: string): IndexNames {
  return {
    listings: `${prefix}listings`,
    neighborhoods: `${prefix}neighborhoods`,
    cities: `${prefix}cities`,
    history: `${prefix}history`,
    deals: `${prefix}deals`,
    transactions: `${prefix}transactions`,
    projects: `${prefix}projects`,
    developers: `${prefix}developers`,
    webhooks: `${prefix}webhooks`,
  };
}
