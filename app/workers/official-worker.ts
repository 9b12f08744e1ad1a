import { existsSync } from 'node:fs';
import { BusyError } from '#ingest/postgres/writer.ts';
import { repeat } from '#stores/postgres/queue.ts';
import type { Official } from './open-official.ts';
import type { Stop, WorkerServices } from './worker.ts';

/** Milliseconds between imports. One file per quarter is released. */
const IMPORT_EVERY = 15 * 60_000;
/** Milliseconds without a change: before, a file may be incomplete. */
const SETTLED = 60_000;

export function startOfficial(services: Pick<WorkerServices, 'official' | 'officialDir' | 'logger'>): Stop {
  const { official, officialDir, logger } = services;
  const importAll = async (signal: AbortSignal): Promise<void> => {
    const files = await importNew(official, officialDir, signal);
    if (files.length > 0) logger.info({ files }, 'official data imported');
  };
  const onError = (error: unknown) => {
    if (error instanceof BusyError) logger.info('another process imports official data');
    else logger.error({ err: error }, 'import of official data failed; the next one begins again');
  };
  return repeat(importAll, { pauseMs: IMPORT_EVERY, onError });
}

/**
 * @param dir null if no folder is configured
 * @returns results for files that were not imported before
 */
export async function importNew(official: Official, dir: string | null, signal: AbortSignal) {
  if (dir === null || !existsSync(dir)) {
    // After a restore of Postgres, the index no longer matches.
    await official.prepare();
    return [];
  }
  const files = await official.import(dir, { signal, settleMs: SETTLED });
  return files.filter(({ status }) => status !== 'repeated');
}
