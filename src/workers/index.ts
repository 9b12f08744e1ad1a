import { exportsWorker } from './exports.ts';
import { housekeepingWorker } from './housekeeping/index.ts';
import { indexesWorker } from './indexes.ts';
import { ingestWorker } from './ingest.ts';
import { officialWorker } from './official.ts';
import { webhooksWorker } from './webhooks.ts';
import type { Worker } from './worker.ts';

/** All workers, which processes with the role `all` or `worker` start. */
export const WORKERS: readonly Worker[] = [
  indexesWorker,
  ingestWorker,
  officialWorker,
  exportsWorker,
  webhooksWorker,
  housekeepingWorker,
];
