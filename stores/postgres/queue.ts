import { setTimeout as sleep } from 'node:timers/promises';

export interface Queue<Job> {
  /** Takes a lease on one due job; null if none is due. Retried after an error, which `onError` receives. */
  claim(): Promise<Job | null>;
  onError(error: unknown): void;
  /** Runs a claimed job and records its outcome. Must not throw. */
  run(job: Job): Promise<void>;
  concurrency: number;
  /** Milliseconds between claims while no job is due or all are running. */
  pollMs: number;
}

/** Claims and runs jobs until the signal aborts. Resolves when the running jobs have ended (ADR 21). */
export async function workQueue<Job>(
  { claim, onError, run, concurrency, pollMs }: Queue<Job>,
  signal: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  while (!signal.aborted) {
    const job = running.size < concurrency ? await claim().catch(onError) : null;
    if (job) {
      const work = run(job).finally(() => running.delete(work));
      running.add(work);
    } else await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
  await Promise.all(running);
}

/**
 * Also after an error, which `onError` receives.
 * @returns a function that stops, once running work has ended
 */
export function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  { pauseMs, onError }: { pauseMs: number; onError(error: unknown): void },
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = (async () => {
    while (!signal.aborted) {
      await work(signal).catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  })();
  return () => {
    stopping.abort();
    return ended;
  };
}
