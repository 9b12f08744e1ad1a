/** The requests that a side of a comparison repeats: HTTP requests or Postgres statements. */
export type Side = HttpSide | PostgresSide;

export interface HttpSide {
  kind: 'http';
  origin: string;
  requests: readonly HttpRequest[];
}

export interface PostgresSide {
  kind: 'postgres';
  databaseUrl: string;
  asynchronousCommit: boolean;
  statements: readonly Statement[];
}

export interface HttpRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface Statement {
  /** Name of the prepared statement. */
  name: string;
  text: string;
  values: readonly unknown[];
}

/** A number of requests over several connections, each of which sends one request at a time. */
export interface Slice {
  side: string;
  connections: number;
  count: number;
  /** Index of the first request. */
  from: number;
  /** Idle time in milliseconds between two requests on a connection. */
  pause: number;
}

export interface SliceResult {
  /** Milliseconds, unordered. */
  latencies: Float64Array;
  seconds: number;
  failures: number;
  /** Examples of failures. */
  examples: string[];
}

/** Replaces the sides, or runs a slice, whose result is in the reply. */
export type Command = { sides: Readonly<Record<string, Side>> } | { slice: Slice };

export type Reply = { result: SliceResult | undefined } | { error: string };
