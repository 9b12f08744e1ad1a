import { startWebhooks, type WebhookWorkerServices } from '#webhooks/worker.ts';
import type { Worker } from './worker.ts';

/**
 * Sends webhooks. When the worker stops, running attempts complete, and other processes send the remaining deliveries.
 */
export const webhooksWorker = {
  name: 'webhooks',
  start: async (services: WebhookWorkerServices) => startWebhooks(services),
} satisfies Worker;
