import { setTimeout as sleep } from 'node:timers/promises';

/** Results of a steady stream of calls. */
export interface LoadReport {
  sent: number;
  /** Units of 2xx responses, by their headers. */
  units: number;
  /** Number of responses by status and code. */
  answers: Record<string, number>;
  /** Calls whose connection was refused; they cost nothing. */
  refused: number;
  /** Calls that were repeated, because a connection was closed without a response. */
  again: number;
  /** Calls without a response, which may have been charged. */
  lost: number;
  /** Their outcomes. */
  losses: Set<string>;
  /** Milliseconds of the slowest response. */
  slowest: number;
}

export interface Load {
  /** Sends a number of calls to one of the origins concurrently. @returns when the first has a response */
  burst(origin: string, calls: number): Promise<void>;
  /** Ends the stream, and waits for the last responses. */
  stop(): Promise<LoadReport>;
}

export interface LoadOptions {
  /** Used in rotation. */
  origins: readonly string[];
  key: string;
  /** Used in rotation. */
  paths: readonly string[];
  perSecond: number;
}

const ANSWER_LIMIT = 60_000;
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Sends a number of calls per second, regardless of responses. */
export function startLoad({ origins, key, paths, perSecond }: LoadOptions): Load {
  const report: LoadReport = {
    sent: 0,
    units: 0,
    answers: {},
    refused: 0,
    again: 0,
    lost: 0,
    losses: new Set(),
    slowest: 0,
  };
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();

  const call = async (url: string): Promise<void> => {
    const begun = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        const response = await fetch(url, {
          headers: { Authorization: `Bearer ${key}` },
          signal: AbortSignal.timeout(ANSWER_LIMIT),
        });
        const text = await response.text();
        // An empty list is a separate kind of failure: the load requests only existing data.
        const ok = text.includes('"data":[]') ? 'empty' : 'ok';
        const code = response.ok ? ok : (JSON.parse(text) as { error: { code: string } }).error.code;
        const isBare = response.status === 503 && !response.headers.has('Retry-After');
        const name = `${response.status} ${code}${isBare ? ' without Retry-After' : ''}`;
        report.answers[name] = (report.answers[name] ?? 0) + 1;
        if (response.ok) report.units += Number(response.headers.get('X-Request-Units') ?? 0);
        report.slowest = Math.max(report.slowest, performance.now() - begun);
        return;
      } catch (error) {
        const { cause } = error as { cause?: NodeJS.ErrnoException };
        if (cause?.code === 'ECONNREFUSED') {
          report.refused++;
          return;
        }
        // The server closed an idle connection, and clients repeat the call (RFC 9112, 9.3.1). If it was charged, the units
        // of the responses are too low.
        if (tries === 1 && CLOSED.has(cause?.code ?? '')) {
          report.again++;
          continue;
        }
        report.lost++;
        report.losses.add(String(cause?.message ?? error));
        return;
      }
    }
  };
  const send = (origin: string): Promise<void> => {
    const sent: Promise<void> = call(`${origin}${paths[report.sent++ % paths.length]}`).finally(() =>
      underWay.delete(sent),
    );
    underWay.add(sent);
    return sent;
  };
  const run = async (): Promise<void> => {
    const begun = performance.now();
    for (let streamed = 0; !stopping.signal.aborted; ) {
      const due = Math.floor(((performance.now() - begun) * perSecond) / 1_000);
      for (; streamed < due; streamed++) void send(origins[streamed % origins.length] as string);
      await sleep(1_000 / perSecond, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    burst: (origin, calls) => Promise.race(Array.from({ length: calls }, () => send(origin))),
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(underWay);
      return report;
    },
  };
}
