import { startHousekeeping } from '#app/workers/housekeeping/index.ts';
import { startIndexes } from '#app/workers/indexes-worker.ts';
import { startIngest } from '#app/workers/ingest-worker.ts';
import { startOfficial } from '#app/workers/official-worker.ts';
import type { Stop, WorkerServices } from '#app/workers/worker.ts';
import { readStoredListings } from '#ingest/indexing/stored-listings.ts';
import type { Config } from '#src/config.ts';
import { startExports } from '#src/exports/export-worker.ts';
import type { Services } from '#src/services.ts';
import { startWebhooks } from '#src/webhooks/webhook-worker.ts';
import type { Cleanup } from './cleanup.ts';
import type { Screen } from './screen.ts';

const STOP_LIMIT = 20_000;

/** Any number of processes may run each; its work is done once. */
const WORKERS = {
  indexes: startIndexes,
  ingest: startIngest,
  official: startOfficial,
  exports: startExports,
  webhooks: startWebhooks,
  housekeeping: startHousekeeping,
} satisfies Record<string, (services: WorkerServices) => Stop | Promise<Stop>>;

export type WorkerName = keyof typeof WORKERS;

export function sayPrivateHosts({ webhookPrivateHosts: hosts }: Config, { say }: Pick<Screen, 'say'>): void {
  if (hosts.length > 0)
    say(`WARNING: WEBHOOK_PRIVATE_HOSTS allows holders of admin keys to send webhooks to ${hosts.join(', ')}.`);
}

export async function startWorkers(
  services: Services,
  pipelines: Pick<WorkerServices, 'ingest' | 'official' | 'officialDir'>,
  cleanup: Cleanup,
  except: readonly WorkerName[] = [],
): Promise<void> {
  const readListings = (ids: readonly number[]) => readStoredListings(pipelines.ingest.pool, ids);
  for (const [name, start] of Object.entries(WORKERS)) {
    if (except.includes(name as WorkerName)) continue;
    const stop = await start({ ...services, ...pipelines, readListings });
    cleanup.add(`stopping ${name}`, stop, STOP_LIMIT);
  }
}
