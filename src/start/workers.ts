import { IngestBusyError } from '#ingest/postgres/writer.ts';
import type { Services } from '#src/services.ts';
import { WORKERS } from '#workers/index.ts';
import type { IngestPipeline } from '#workers/worker.ts';
import type { Cleanup } from './cleanup.ts';
import type { Ingest } from './ingest.ts';

/** Milliseconds that a worker has to stop. */
const STOP_LIMIT = 20_000;

/** Starts every worker; each is stopped when the process ends. */
export async function startWorkers(services: Services, ingest: Ingest, cleanup: Cleanup): Promise<void> {
  const pipeline: IngestPipeline = {
    sources: ingest.sources,
    run: (request) =>
      ingest.run(request).catch((error: unknown) => {
        if (error instanceof IngestBusyError) return null;
        throw error;
      }),
  };
  for (const worker of WORKERS) {
    cleanup.add(`stopping ${worker.name}`, await worker.start({ ...services, ingest: pipeline }), STOP_LIMIT);
  }
}
