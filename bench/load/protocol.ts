/** The requests that a side of a comparison repeats: HTTP requests or Postgres statements. */
export type Side =
  | { kind: 'http'; origin: string; requests: readonly HttpRequest[] }
  | { kind: 'postgres'; databaseUrl: string; asynchronousCommit: boolean; statements: readonly Statement[] };

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
  bytes: number;
  failures: number;
  /** Examples of failures. */
  examples: string[];
}

/**
 * Requests at a fixed rate, independent of response times (an open loop). A request that finds all connections in use
 * waits for one; its latency is measured from its scheduled time.
 */
export interface Flow {
  side: string;
  perSecond: number;
  connections: number;
  /** Index of the first request. */
  from: number;
}

export interface FlowResult {
  sent: number;
  /** Responses by status; `0` for requests without a response. */
  statuses: Record<string, number>;
  /** Milliseconds of successful requests, unordered. */
  latencies: Float64Array;
  /** Units of successful requests, according to their headers. */
  units: number;
  /** Successes in each full second of the flow, by time of completion. */
  perSecond: number[];
}

export type Command =
  | { type: 'sides'; sides: Readonly<Record<string, Side>> }
  | { type: 'slice'; slice: Slice }
  | { type: 'flows'; flows: readonly Flow[]; seconds: number }
  | { type: 'stop' };

export type Reply =
  | { type: 'ready' }
  | { type: 'result'; result: SliceResult }
  | { type: 'flows'; results: FlowResult[] }
  | { type: 'error'; message: string };
