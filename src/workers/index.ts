import { startExports } from '#exports/worker.ts';
import { startWebhooks } from '#webhooks/worker.ts';
import { housekeepingWorker } from './housekeeping/index.ts';
import { indexesWorker } from './indexes.ts';
import { ingestWorker } from './ingest.ts';
import { officialWorker } from './official.ts';
import type { Worker } from './worker.ts';

/** Workers of the roles `all` and `worker`. */
export const WORKERS: readonly Worker[] = [
  indexesWorker,
  ingestWorker,
  officialWorker,
  { name: 'exports', start: (services) => startExports(services) },
  { name: 'webhooks', start: (services) => startWebhooks(services) },
  housekeepingWorker,
];
