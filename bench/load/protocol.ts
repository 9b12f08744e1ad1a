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
  /** Appends two values as in a charge: the session of the connection, and the number of the statement in it. */
  inSession?: boolean;
}

/** A number of requests over a number of connections. Each connection sends its next request after the last response. */
export interface Slice {
  side: string;
  connections: number;
  count: number;
  /** Index of the first request. */
  from: number;
  /** Milliseconds of idle time of a connection between two requests. */
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

export type Command =
  | { type: 'sides'; sides: Readonly<Record<string, Side>> }
  | { type: 'slice'; slice: Slice }
  | { type: 'stop' };

export type Reply = { type: 'ready' } | { type: 'result'; result: SliceResult } | { type: 'error'; message: string };
