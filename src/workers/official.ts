import { repeat } from '#postgres/queue.ts';
import type { Stop, WorkerServices } from './worker.ts';

/** Milliseconds between imports. One file per quarter is released. */
const IMPORT_EVERY = 15 * 60_000;

export function startOfficial({ official, logger }: Pick<WorkerServices, 'official' | 'logger'>): Stop {
  const onError = (error: unknown) =>
    logger.error({ err: error }, 'import of official data failed; the next one begins again');
  const importNew = async (signal: AbortSignal): Promise<void> => {
    const files = await official.importNew(signal);
    if (files === null) logger.info('another process imports official data');
    else if (files.length > 0) logger.info({ files }, 'official data imported');
  };
  return repeat(importNew, { pauseMs: IMPORT_EVERY, onError });
}
