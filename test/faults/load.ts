import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

/** Results of a load. */
export interface LoadReport {
  sent: number;
  /** Total units of 2xx responses according to their headers. */
  units: number;
  /** Number of responses by status and error code. */
  answers: Record<string, number>;
  /** Response times in milliseconds by status and error code. */
  times: Map<string, number[]>;
  /** Number of calls without a response, which may have been charged. */
  lost: number;
  /** Error messages of the lost calls. */
  losses: Set<string>;
  /** Longest response time in milliseconds. */
  slowest: number;
}

export interface Load {
  /** The results until now. */
  readonly report: LoadReport;
  /** Sends several calls concurrently to one origin. @returns after the first response */
  burst(origin: string, calls: number): Promise<void>;
  /** Stops sending and waits for the last responses. */
  stop(): Promise<LoadReport>;
}

export interface LoadOptions {
  /** Base URLs, used in rotation. */
  origins: readonly string[];
  key: string;
  /** Paths, used in rotation. */
  paths: readonly string[];
  /** Calls per second regardless of response times, or calls that each begin when the one before has its response. */
  pace: { perSecond: number } | { connections: number };
}

const ANSWER_LIMIT = 60_000;
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Sends calls. `fetch` would take twice the processor time, which the nodes under load need. */
export function startLoad({ origins, key, paths, pace }: LoadOptions): Load {
  const report: LoadReport = {
    sent: 0,
    units: 0,
    answers: {},
    times: new Map(),
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
        const { statusCode, headers, body } = await request(url, {
          headers: { authorization: `Bearer ${key}` },
          headersTimeout: ANSWER_LIMIT,
          bodyTimeout: ANSWER_LIMIT,
        });
        const text = await body.text();
        const isOk = statusCode === 200;
        // An empty list is counted separately as a failure, because the load requests only existing data.
        const ok = text.includes('"data":[]') ? 'empty' : 'ok';
        const code = isOk ? ok : (JSON.parse(text) as { error: { code: string } }).error.code;
        const isBare = statusCode === 503 && headers['retry-after'] === undefined;
        const name = `${statusCode} ${code}${isBare ? ' without Retry-After' : ''}`;
        report.answers[name] = (report.answers[name] ?? 0) + 1;
        if (isOk) report.units += Number(headers['x-request-units'] ?? 0);
        const ms = performance.now() - begun;
        report.slowest = Math.max(report.slowest, ms);
        const times = report.times.get(name) ?? [];
        report.times.set(name, times);
        times.push(ms);
        return;
      } catch (error) {
        const { code = '', message } = error as NodeJS.ErrnoException;
        // A refused call costs nothing.
        if (code === 'ECONNREFUSED') return;
        // The server has closed an idle connection, so the call is repeated, as clients do (RFC 9112, 9.3.1). If the
        // first attempt was charged, more units are charged than the responses contain.
        if (tries === 1 && CLOSED.has(code)) continue;
        report.lost++;
        report.losses.add(message);
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
  const sendSteadily = async (perSecond: number): Promise<void> => {
    const begun = performance.now();
    for (let streamed = 0; !stopping.signal.aborted; ) {
      const due = Math.floor(((performance.now() - begun) * perSecond) / 1_000);
      for (; streamed < due; streamed++) void send(origins[streamed % origins.length] as string);
      await sleep(1_000 / perSecond, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const sendInTurn = async (connection: number): Promise<void> => {
    while (!stopping.signal.aborted) await send(origins[connection % origins.length] as string);
  };
  const run = (): Promise<unknown> =>
    'perSecond' in pace
      ? sendSteadily(pace.perSecond)
      : Promise.all(Array.from({ length: pace.connections }, (_, connection) => sendInTurn(connection)));
  const running = run();
  return {
    report,
    burst: (origin, calls) => Promise.race(Array.from({ length: calls }, () => send(origin))),
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(underWay);
      return report;
    },
  };
}
