import { Client } from '@opensearch-project/opensearch';

export interface OpenSearchOptions {
  urls: readonly string[];
  /** Milliseconds until a request times out. */
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

/**
 * Options for requests that no user waits for: those that create, refresh, copy or compare indexes. On a cluster with a slow
 * disk or a long queue of changes, they take longer than 30 seconds.
 */
export const ADMIN_REQUEST = { requestTimeout: 120_000 } as const;

/** Names of the indexes and aliases of one installation. */
export interface IndexNames {
  listings: string;
  neighborhoods: string;
  cities: string;
  /** Intervals of months in which listings were on the market, for trends. */
  history: string;
  deals: string;
  /** Registered sale deals. */
  transactions: string;
  /** Off-plan projects. */
  projects: string;
  /** Developers of off-plan projects. */
  developers: string;
  /** Filters of webhook endpoints, as percolator queries. */
  webhooks: string;
}

/** Returns the names for a prefix. The prefix lets several installations share a cluster. */
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
