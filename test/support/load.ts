import { setTimeout as sleep } from 'node:timers/promises';

/** What a steady stream of calls was answered with. */
export interface LoadReport {
  sent: number;
  /** Units of answers with 2xx, as their headers say. */
  units: number;
  /** By status and code. */
  answers: Record<string, number>;
  /** Calls that no connection was made for, and that cost nothing. */
  refused: number;
  /** Calls that were sent again, as a connection was closed without an answer. */
  again: number;
  /** Calls that were sent and not answered, which may have been charged or not. */
  lost: number;
  /** What became of these. */
  losses: Set<string>;
  /** Milliseconds of the slowest answer. */
  slowest: number;
}

export interface Load {
  /** Sends so many calls to one of the origins at once. @returns when the first is answered */
  burst(origin: string, calls: number): Promise<void>;
  /** Ends the stream, and waits for its last answers. */
  stop(): Promise<LoadReport>;
}

export interface LoadOptions {
  /** Taken in turn. */
  origins: readonly string[];
  key: string;
  /** Taken in turn. */
  paths: readonly string[];
  perSecond: number;
}

const ANSWER_LIMIT = 60_000;
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Sends so many calls a second whether they are answered or not. */
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
        // An empty list is a failure of its own kind: the load requests only what exists.
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
        // The other side closed a connection that was kept, and every client sends such a call again (RFC 9112, 9.3.1).
        // Should it have been charged, the units of the answers are too few.
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
