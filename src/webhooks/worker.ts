import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startMail } from '#src/mail/worker.ts';
import type { Services } from '#src/services.ts';
import { randomShare } from '#stores/crypto/random-bytes.ts';
import { OpenSearch } from '#stores/opensearch/client.ts';
import { createOutboundClient } from '#stores/outbound/client.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { repeat } from '#stores/postgres/queue.ts';
import { MAX_ENDPOINTS } from './endpoints.ts';
import { matchEvents, type ReadListings } from './match.ts';
import { type ClaimedDelivery, claimDeliveries, type Settled, settleDeliveries } from './queue.ts';
import { nextCapacity, nextWait } from './schedule.ts';
import { secretEncryption } from './secrets.ts';
import { RECEIVER_TIMEOUT_MS, sendMessage, webhookAddresses } from './send.ts';

export type WebhookWorkerOptions = typeof DEFAULTS;

const DEFAULTS = {
  atOnce: 128,
  perHost: 8,
  // More than `MAX_ENDPOINTS`, so that one endpoint does not delay the others.
  perOrganization: MAX_ENDPOINTS + 7,
  /** Milliseconds, while there are no events or due deliveries. */
  pollMs: 1_000,
  /** Longer than any attempt takes. */
  leaseMs: 45_000,
  receiverMs: RECEIVER_TIMEOUT_MS,
  mailPollMs: 5_000,
};

const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;
const SEARCH_TIMEOUT_MS = 60_000;
/** Milliseconds between claims, and for which outcomes are collected. */
const TICK_MS = 20;
const RETRY_MS = 500;
/** Number of unwritten outcomes above which no more deliveries are claimed. */
const MAX_UNWRITTEN = 2_000;
const WRITE_BATCH = 500;

export interface WebhookWorkerServices extends Pick<Services, 'config' | 'logger' | 'clock' | 'random' | 'resolve'> {
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
  const sending = runSending(services, pool, options, signal);
  const stopMail = config.mail ? startMail(services, pool, config.mail, { pollMs: options.mailPollMs }) : null;
  return async () => {
    stopping.abort();
    await Promise.all([stopMatching(), sending, stopMail?.()]);
    await Promise.all([pool.end(), opensearch.close()]);
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/** Milliseconds after which the state of an idle host is evicted. */
const HOST_TTL_MS = 60_000;

interface Host {
  sending: number;
  capacity: number;
  /** Milliseconds of a monotonic clock. */
  endedAt: number;
}

async function runSending(
  { config, logger, clock, random, resolve }: WebhookWorkerServices,
  pool: pg.Pool,
  options: WebhookWorkerOptions,
  signal: AbortSignal,
): Promise<void> {
  const client = createOutboundClient({ ...webhookAddresses(config), connections: options.perHost, resolve });
  const encryption = secretEncryption(config.encryptionKeys, random);
  const hosts = new Map<string, Host>();
  const organizations = new Map<number, number>();
  const running = new Set<Promise<void>>();
  let unwritten: Settled[] = [];
  /** An attempt has ended since the last claim. */
  let freed = false;
  let ended = false;

  const send = async (delivery: ClaimedDelivery): Promise<void> => {
    const host = hosts.get(delivery.host) ?? { sending: 0, capacity: 1, endedAt: 0 };
    hosts.set(delivery.host, host);
    host.sending++;
    const { organization_id: organization } = delivery;
    organizations.set(organization, (organizations.get(organization) ?? 0) + 1);
    const at = clock.now();
    const begun = performance.now();
    const message = {
      url: delivery.url,
      eventId: delivery.event_id,
      eventType: delivery.event_type,
      attempt: delivery.attempts + 1,
      body: delivery.body,
    };
    const outcome = await Promise.resolve()
      .then(() => delivery.secrets.map((bytes) => encryption.decrypt(bytes)))
      .then((secrets) => sendMessage(client, { ...message, secrets }, at, options.receiverMs))
      .catch((error: unknown) => {
        // An operator must restore the encryption key. Meanwhile, the lease expires and the delivery is retried.
        logger.error({ err: error, endpoint: delivery.endpoint }, 'a webhook could not be signed');
        return null;
      });
    host.sending--;
    host.endedAt = performance.now();
    const took = host.endedAt - begun;
    host.capacity = nextCapacity(
      host.capacity,
      outcome?.error === 'timeout' ? Number.POSITIVE_INFINITY : took,
      options.perHost,
    );
    const left = (organizations.get(organization) ?? 1) - 1;
    if (left > 0) organizations.set(organization, left);
    else organizations.delete(organization);
    freed = true;
    if (outcome === null) return;
    const wait = outcome.accepted ? null : nextWait(delivery.tries + 1, randomShare(random), outcome.retryAfter);
    unwritten.push({
      delivery,
      status: outcome.accepted ? 'delivered' : wait === null ? 'failed' : 'pending',
      dueAt: new Date(at + (wait ?? 0)),
      at: new Date(at),
      answer: outcome.status,
      durationMs: Math.round(took),
      error: outcome.error,
      reply: outcome.reply,
    });
  };

  const write = async (): Promise<void> => {
    while (!ended || unwritten.length > 0) {
      const part = unwritten.slice(0, WRITE_BATCH);
      if (part.length === 0) {
        await sleep(TICK_MS);
        continue;
      }
      try {
        const disabled = await settleDeliveries(pool, random, part, new Date(clock.now()), config.mail ? config : null);
        unwritten = unwritten.slice(part.length);
        for (const endpoint of disabled)
          logger.warn({ endpoint: endpoint.id }, 'a webhook was disabled: its deliveries failed too often');
      } catch (error) {
        logger.warn({ err: error }, 'webhook outcomes not recorded, will retry');
        // Other processes retry the deliveries when their leases expire.
        if (ended) return;
        await sleep(RETRY_MS);
      }
    }
  };

  const claim = async (): Promise<ClaimedDelivery[]> => {
    const limit = options.atOnce - running.size;
    if (limit <= 0 || unwritten.length > MAX_UNWRITTEN) return [];
    const { perHost, perOrganization, leaseMs } = options;
    const idleBefore = performance.now() - HOST_TTL_MS;
    for (const [name, { sending, endedAt }] of hosts) if (sending === 0 && endedAt < idleBefore) hosts.delete(name);
    return claimDeliveries(pool, {
      limit,
      perHost,
      hosts: new Map([...hosts].map(([name, { sending, capacity }]) => [name, Math.max(0, capacity - sending)])),
      perOrganization,
      organizations: new Map([...organizations].map(([id, sending]) => [id, Math.max(0, perOrganization - sending)])),
      leaseMs,
      now: new Date(clock.now()),
    });
  };

  const writing = write();
  while (!signal.aborted) {
    freed = false;
    const claimed = await claim().catch((error: unknown) => {
      logger.warn({ err: error }, 'webhook deliveries not claimed, will retry');
      return null;
    });
    for (const delivery of claimed ?? []) {
      const sent = send(delivery).finally(() => running.delete(sent));
      running.add(sent);
    }
    const next = performance.now() + options.pollMs;
    do await pause(TICK_MS, signal);
    while (!signal.aborted && !claimed?.length && !freed && performance.now() < next);
  }
  await Promise.all(running);
  ended = true;
  await writing;
  client.close();
}
