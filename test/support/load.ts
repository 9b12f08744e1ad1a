import { setTimeout as sleep } from 'node:timers/promises';

/** What a steady stream of calls was answered with. */
export interface LoadReport {
  sent: number;
  /** Units of answers with 2xx, as their headers say. */
  units: number;
  /** By status and code; `lost` without an answer. */
  answers: Record<string, number>;
  /** Calls without an answer, which may have been charged or not. */
  lost: number;
  /** Milliseconds of the slowest answer. */
  slowest: number;
}

export interface Load {
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

/** Sends so many calls a second whether they are answered or not. */
export function startLoad({ origins, key, paths, perSecond }: LoadOptions): Load {
  const report: LoadReport = { sent: 0, units: 0, answers: {}, lost: 0, slowest: 0 };
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();

  const call = async (index: number): Promise<void> => {
    const begun = performance.now();
    try {
      const response = await fetch(`${origins[index % origins.length]}${paths[index % paths.length]}`, {
        headers: { Authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(ANSWER_LIMIT),
      });
      const body = (await response.json()) as { error?: { code: string } };
      const name = `${response.status} ${body.error?.code ?? 'ok'}`;
      report.answers[name] = (report.answers[name] ?? 0) + 1;
      if (response.ok) report.units += Number(response.headers.get('X-Request-Units'));
      report.slowest = Math.max(report.slowest, performance.now() - begun);
    } catch {
      report.lost++;
    }
  };
  const send = (): void => {
    const sent = call(report.sent++).finally(() => underWay.delete(sent));
    underWay.add(sent);
  };
  const run = async (): Promise<void> => {
    const begun = performance.now();
    while (!stopping.signal.aborted) {
      const due = Math.floor(((performance.now() - begun) * perSecond) / 1_000);
      while (report.sent < due) send();
      await sleep(1_000 / perSecond, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(underWay);
      return report;
    },
  };
}
