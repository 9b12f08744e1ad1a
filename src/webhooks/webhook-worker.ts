import { startMail } from '#src/mail/mail-worker.ts';
import { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { repeat } from '#stores/postgres/queue.ts';
import { MAX_ENDPOINTS } from './endpoints.ts';
import { matchEvents, type ReadListings } from './match.ts';
import { RECEIVER_TIMEOUT_MS } from './send-delivery.ts';
import { DeliverySender, type SendingOptions, type SendingServices } from './sender.ts';

export interface WebhookWorkerOptions extends SendingOptions {
  mailPollMs: number;
}

const DEFAULTS: WebhookWorkerOptions = {
  atOnce: 128,
  perHost: 8,
  // More than `MAX_ENDPOINTS`, so that one endpoint does not delay the others.
  perOrganization: MAX_ENDPOINTS + 7,
  pollMs: 1_000,
  leaseMs: 45_000,
  receiverMs: RECEIVER_TIMEOUT_MS,
  mailPollMs: 5_000,
};

const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;
const SEARCH_TIMEOUT_MS = 60_000;
export interface WebhookWorkerServices extends SendingServices {
  readListings: ReadListings;
}

/**
 * Also emails the owners of disabled endpoints. Of any number of processes, one matches and all send.
 * @returns a function that stops the worker, after running attempts have ended and their outcomes are written
 */
export function startWebhooks(
  services: WebhookWorkerServices,
  given: Partial<WebhookWorkerOptions> = {},
): () => Promise<void> {
  const options = { ...DEFAULTS, ...given };
  const { config, logger } = services;
  const pool = createPool(config.databaseUrl, {
    max: 4,
    statementTimeout: STATEMENT_TIMEOUT_MS,
    // A suspended process would keep endpoints locked.
    idleTransactionTimeout: Math.min(IDLE_TRANSACTION_TIMEOUT_MS, options.leaseMs),
    name: 'listings-webhooks',
  });
  const opensearch = new OpenSearch({ ...config.opensearch, requestTimeout: SEARCH_TIMEOUT_MS });
  const stopping = new AbortController();
  const { signal } = stopping;
  if (config.webhookPrivateHosts.length > 0)
    logger.warn({ hosts: config.webhookPrivateHosts }, 'webhooks may call these hosts though they are not public');
  const match = async (running: AbortSignal): Promise<void> => {
    const matched = await matchEvents({ ...services, pool, opensearch }, running);
    if (matched && matched.events > 0) logger.info(matched, 'events matched with webhooks');
  };
  const stopMatching = repeat(match, {
    pauseMs: options.pollMs,
    onError: (error) => logger.warn({ err: error }, 'events not matched with webhooks, will retry'),
  });
  const sending = new DeliverySender(services, pool, options).run(signal);
  const stopMail = config.mail ? startMail(services, pool, config.mail, { pollMs: options.mailPollMs }) : null;
  return async () => {
    stopping.abort();
    await Promise.all([stopMatching(), sending, stopMail?.()]);
    await Promise.all([pool.end(), opensearch.close()]);
  };
}
