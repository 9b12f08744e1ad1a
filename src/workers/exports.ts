import { type ExportWorkerServices, startExports } from '#exports/worker.ts';
import type { Worker } from './worker.ts';

/**
 * Runs queued exports. When the worker stops, running exports return to the queue and can be claimed by another
 * process.
 */
export const exportsWorker = {
  name: 'exports',
  start: async (services: ExportWorkerServices) => startExports(services),
} satisfies Worker;
