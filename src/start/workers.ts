import { StoreError } from '#domain/store-error.ts';
import { startExports } from '#exports/worker.ts';
import { isFilledHere } from '#ingest/fill.ts';
import { readStoredListings } from '#ingest/indexing/documents.ts';
import { BusyError } from '#ingest/postgres/writer.ts';
import { outageOf } from '#ingest/run/outage.ts';
import type { Config } from '#src/config.ts';
import type { Services } from '#src/services.ts';
import { startWebhooks } from '#webhooks/worker.ts';
import { startHousekeeping } from '#workers/housekeeping/index.ts';
import { startIndexes } from '#workers/indexes.ts';
import { startIngest } from '#workers/ingest.ts';
import { startOfficial } from '#workers/official.ts';
import type { IngestPipeline, Stop, WorkerServices } from '#workers/worker.ts';
import type { Cleanup } from './cleanup.ts';
import type { Ingest } from './ingest.ts';
import { type Official, watchedFolder } from './official.ts';
import type { Screen } from './screen.ts';

const STOP_LIMIT = 20_000;

/** Any number of processes may run each; its work is done once. */
const WORKERS: Readonly<Record<string, (services: WorkerServices) => Stop | Promise<Stop>>> = {
  indexes: startIndexes,
  ingest: startIngest,
  official: startOfficial,
  exports: startExports,
  webhooks: startWebhooks,
  housekeeping: startHousekeeping,
};

export interface Pipelines {
  ingest: Ingest;
  official: Official;
  officialDir: string | null;
}

export function sayPrivateHosts({ webhookPrivateHosts: hosts }: Config, { say }: Pick<Screen, 'say'>): void {
  if (hosts.length > 0)
    say(`WARNING: WEBHOOK_PRIVATE_HOSTS allows holders of admin keys to send webhooks to ${hosts.join(', ')}.`);
}

export async function startWorkers(
  services: Services,
  { ingest, official, officialDir }: Pipelines,
  cleanup: Cleanup,
): Promise<void> {
  const pipeline: IngestPipeline = {
    sources: ingest.sources,
    isRepairDue: ingest.isRepairDue,
    repair: (signal) => unlessBusy(() => ingest.repair(signal)),
    fill: async (name, signal) => isFilledHere(name) && unlessBusy(() => ingest.fill([name], signal)),
    run: (request) =>
      ingest.run(request).catch((error: unknown) => {
        if (error instanceof BusyError) {
          if (error.isRun) return null;
          throw new StoreError('opensearch', true, error);
        }
        throw outageOf(error) ?? error;
      }),
  };
  const workerServices: WorkerServices = {
    ...services,
    ingest: pipeline,
    photos: { verifySample: (signal) => ingest.verifyPhotos({ scope: 'sample', repair: true }, { signal }) },
    official: watchedFolder(official, officialDir),
    readListings: (ids) => readStoredListings(ingest.pool, ids),
  };
  for (const [name, start] of Object.entries(WORKERS)) {
    const stop = await start(workerServices);
    cleanup.add(`stopping ${name}`, stop, STOP_LIMIT);
  }
}

/** @returns false if another process was ingesting */
async function unlessBusy(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof BusyError) return false;
    throw error;
  }
}
