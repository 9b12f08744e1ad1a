import { type ExportWorkerServices, startExports } from '#exports/worker.ts';
import type { Worker } from './worker.ts';

/** Makes the exports that wait. Stopping hands those under way to another process, which begins them anew. */
export const exportsWorker = {
  name: 'exports',
  start: async (services: ExportWorkerServices) => startExports(services),
} satisfies Worker;
