import cron from 'node-cron';
import type { Logger } from 'pino';
import type { OfficialPipeline, Worker, WorkerServices } from './worker.ts';

/** One file per quarter is released. */
const SCHEDULE = '*/15 * * * *';

/** Imports on schedule and at the start of the process. */
export const officialWorker = {
  name: 'official',
  async start({ official, logger }: Pick<WorkerServices, 'official' | 'logger'>) {
    const stopping = new AbortController();
    let running = Promise.resolve();
    const run = (): Promise<void> => {
      running = running.then(() => runOnce(official, logger, stopping.signal));
      return running;
    };
    const task = cron.schedule(SCHEDULE, run, { timezone: 'UTC', noOverlap: true });
    void run();
    return async () => {
      await task.destroy();
      stopping.abort();
      await running;
    };
  },
} satisfies Worker;

async function runOnce(official: OfficialPipeline, logger: Logger, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  try {
    const files = await official.importNew(signal);
    if (files === null) logger.info('another process imports official data');
    else if (files.length > 0) logger.info({ files }, 'official data imported');
  } catch (error) {
    if (signal.aborted) logger.info('import of official data interrupted');
    else logger.error({ err: error }, 'import of official data failed; the next one begins again');
  }
}
