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

export type Command =
  | { type: 'sides'; sides: Readonly<Record<string, Side>> }
  | { type: 'slice'; slice: Slice }
  | { type: 'stop' };

export type Reply = { type: 'ready' } | { type: 'result'; result: SliceResult } | { type: 'error'; message: string };
