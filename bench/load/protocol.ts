/** The requests that one side of a comparison gets again and again: HTTP requests, or statements of Postgres. */
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
  /** Prepared under this name. */
  name: string;
  text: string;
  values: readonly unknown[];
  /** Two values follow: the connection's session and the number of this statement in it, as of a charge. */
  inSession?: boolean;
}

/** A number of requests over a number of connections, each sending its next when its last is answered. */
export interface Slice {
  side: string;
  connections: number;
  count: number;
  /** Which of the side's requests comes first. */
  from: number;
  /** Milliseconds that each connection rests between two requests. */
  pause: number;
}

export interface SliceResult {
  /** Milliseconds, in no order. */
  latencies: Float64Array;
  seconds: number;
  bytes: number;
  failures: number;
  /** What some of the failures were. */
  examples: string[];
}

/**
 * Requests of a side at a fixed rate, which does not depend on how fast earlier ones are served (an open loop). A request
 * that finds every connection in use waits for one, and its time runs from when it was due.
 */
export interface Flow {
  side: string;
  perSecond: number;
  connections: number;
  /** Which of the side's requests comes first. */
  from: number;
}

export interface FlowResult {
  sent: number;
  /** Responses by status; `0` for requests without one. */
  statuses: Record<string, number>;
  /** Milliseconds of the requests that succeeded, in no order. */
  latencies: Float64Array;
  /** Units of the successes, by their headers. */
  units: number;
  /** Successes in each full second of the flow, by when they ended. */
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
