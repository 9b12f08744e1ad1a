import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type PacedCall, type PacedResult, sendPaced } from './open-loop.ts';

interface PacedSchedule {
  calls: readonly PacedCall[];
  perSecond: number;
}

interface Outcome {
  results: PacedResult;
  /** Messages of some failures. */
  examples: Set<string>;
}

/**
 * Sends calls from a thread whose heap has nothing else: a garbage collection of the listings' ids would delay calls by
 * a tenth of a second, and be counted as time of the service.
 * @param until ends the load early
 */
export async function sendFromThread(schedule: PacedSchedule, until?: Promise<unknown>): Promise<Outcome> {
  const thread = new Worker(new URL(import.meta.url), { workerData: schedule });
  const end = (): void => thread.postMessage('end');
  until?.then(end, end);
  const [outcome] = (await once(thread, 'message')) as [Outcome];
  return outcome;
}

if (!isMainThread && parentPort) {
  const { calls, perSecond } = workerData as PacedSchedule;
  const examples = new Set<string>();
  let isEnded = false;
  parentPort.once('message', () => {
    isEnded = true;
  });
  const results = await sendPaced(calls, perSecond, { isEnded: () => isEnded, examples });
  parentPort.postMessage({ results, examples } satisfies Outcome);
  parentPort.close();
}
