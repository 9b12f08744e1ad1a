// Sends requests and measures the latency of every response. Responses are discarded without parsing. The measured
// services are other processes, with which this one shares only processor time.
import type pg from 'pg';
import { type Dispatcher, Pool } from 'undici';
import { messageOf } from '#domain/message-of.ts';
import { createPool } from '#stores/postgres/pool.ts';

/** The requests that a side of a comparison repeats: HTTP requests or Postgres statements. */
export type LoadTarget = HttpSide | { databaseUrl: string; statements: readonly pg.QueryConfig[] };

export interface HttpSide {
  origin: string;
  requests: readonly HttpRequest[];
}

export interface HttpRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface SliceOptions {
  /** Each connection sends one request at a time. */
  connections: number;
  count: number;
  /** Idle time in milliseconds between two requests on a connection. */
  pause?: number;
}

export interface SliceResult {
  /** Milliseconds, unordered. */
  latencies: Float64Array;
  seconds: number;
  failures: number;
  /** Examples of failures. */
  examples: string[];
}

interface Lane {
  /** Sends the request with this index. */
  send(at: number): Promise<unknown>;
  close(): Promise<unknown>;
}

/** Milliseconds. */
const RESPONSE_LIMIT = 30_000;

/** The open connections of a side, which later slices use again. */
export class LoadGenerator {
  readonly #lanes: Lane[] = [];
  readonly #side: LoadTarget;

  constructor(side: LoadTarget) {
    this.#side = side;
  }

  async run({ connections, count, pause = 0 }: SliceOptions): Promise<SliceResult> {
    while (this.#lanes.length < connections) this.#lanes.push(await openLane(this.#side));
    const latencies = new Float64Array(count);
    const examples: string[] = [];
    let next = 0;
    let failures = 0;
    const begun = performance.now();
    await Promise.all(
      this.#lanes.slice(0, connections).map(async ({ send }) => {
        for (let mine = next++; mine < count; mine = next++) {
          const sent = performance.now();
          try {
            await send(mine);
          } catch (error) {
            failures++;
            if (examples.length < 5) examples.push(messageOf(error));
          }
          latencies[mine] = performance.now() - sent;
          if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
        }
      }),
    );
    return { latencies, seconds: (performance.now() - begun) / 1000, failures, examples };
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}

async function openLane(side: LoadTarget): Promise<Lane> {
  if ('origin' in side) {
    const { origin, requests } = side;
    const pool = new Pool(origin, {
      connections: 1,
      pipelining: 1,
      headersTimeout: RESPONSE_LIMIT,
      bodyTimeout: RESPONSE_LIMIT,
      keepAliveTimeout: 60_000,
    });
    return {
      send: (at) => sendHttp(pool, requests[at % requests.length] as HttpRequest),
      close: () => pool.destroy(),
    };
  }
  const { databaseUrl, statements } = side;
  // One connection per lane, with asynchronous commits, as in the API's charging pool.
  const options = { max: 1, statementTimeout: RESPONSE_LIMIT, name: 'bench', asynchronousCommit: true };
  const pool = createPool(databaseUrl, options);
  return {
    send: (at) => pool.query(statements[at % statements.length] as pg.QueryConfig),
    close: () => pool.end(),
  };
}

/** @throws Error with status and the start of the body, if the status is not 200 */
export function sendHttp(pool: Pool, { body, ...request }: HttpRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let refusal = '';
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        if (status !== 200 && refusal.length < 300) refusal += chunk.toString('utf8');
      },
      onResponseEnd() {
        if (status === 200) resolve();
        else reject(new Error(`${status} ${refusal.slice(0, 300)}`));
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    };
    pool.dispatch({ ...request, body: body ?? null }, handler);
  });
}
