import { startWebhooks, type WebhookWorkerServices } from '#webhooks/worker.ts';
import type { Worker } from './worker.ts';

/** Sends webhooks. When stopped, running attempts end; another process sends the others. */
export const webhooksWorker = {
  name: 'webhooks',
  start: async (services: WebhookWorkerServices) => startWebhooks(services),
} satisfies Worker;
