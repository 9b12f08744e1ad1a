import { exportsWorker } from './exports.ts';
import { housekeepingWorker } from './housekeeping/index.ts';
import { ingestWorker } from './ingest.ts';
import type { Worker } from './worker.ts';

/** Every worker; `all` and the role `worker` start each of them. */
export const WORKERS: readonly Worker[] = [ingestWorker, exportsWorker, housekeepingWorker];
