import { startWebhooks, type WebhookWorkerServices } from '#webhooks/worker.ts';
import type { Worker } from './worker.ts';

/** Tells subscribers of events. Stopping ends the attempts under way; what is left is another process's. */
export const webhooksWorker = {
  name: 'webhooks',
  start: async (services: WebhookWorkerServices) => startWebhooks(services),
} satisfies Worker;
