import { existsSync } from 'node:fs';
import { readStoredListings } from '#ingest/indexing/documents.ts';
import { OfficialBusyError } from '#ingest/official/context.ts';
import { IngestBusyError } from '#ingest/postgres/writer.ts';
import type { Config } from '#src/config.ts';
import type { Services } from '#src/services.ts';
import { WORKERS } from '#workers/index.ts';
import type { IngestPipeline, OfficialPipeline } from '#workers/worker.ts';
import type { Cleanup } from './cleanup.ts';
import type { Ingest } from './ingest.ts';
import type { Official } from './official.ts';
import type { Screen } from './screen.ts';

/** Milliseconds that a worker has to stop. */
const STOP_LIMIT = 20_000;

/** Milliseconds that a file in a watched folder must have stood still: it may still be being written. */
const SETTLED = 60_000;

export interface Pipelines {
  ingest: Ingest;
  official: Official;
  /** The folder of official open data; null where there is none. */
  officialDir: string | null;
}

/** Says it loudly where webhooks may call into a private network. */
export function sayPrivateHosts({ webhookPrivateHosts: hosts }: Config, { say }: Pick<Screen, 'say'>): void {
  if (hosts.length > 0)
    say(`WARNING: WEBHOOK_PRIVATE_HOSTS lets whoever has an admin key send webhooks to ${hosts.join(', ')}.`);
}

/** Starts every worker; each is stopped when the process ends. */
export async function startWorkers(
  services: Services,
  { ingest, official, officialDir }: Pipelines,
  cleanup: Cleanup,
): Promise<void> {
  const pipeline: IngestPipeline = {
    sources: ingest.sources,
    run: (request) =>
      ingest.run(request).catch((error: unknown) => {
        if (error instanceof IngestBusyError) return null;
        throw error;
      }),
  };
  const folder: OfficialPipeline = {
    importNew: async (signal) => {
      if (officialDir === null || !existsSync(officialDir)) return [];
      try {
        const files = await official.import(officialDir, { signal, settleMs: SETTLED });
        return files.filter(({ status }) => status !== 'repeated');
      } catch (error) {
        if (error instanceof OfficialBusyError) return null;
        throw error;
      }
    },
  };
  for (const worker of WORKERS) {
    const stop = await worker.start({
      ...services,
      ingest: pipeline,
      official: folder,
      readListings: (ids) => readStoredListings(ingest.pool, ids),
    });
    cleanup.add(`stopping ${worker.name}`, stop, STOP_LIMIT);
  }
}
