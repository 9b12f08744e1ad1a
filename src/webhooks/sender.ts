import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Services } from '#src/services.ts';
import { randomShare } from '#stores/crypto/random-bytes.ts';
import { createOutboundClient } from '#stores/outbound/outbound-client.ts';
import { type ClaimedDelivery, claimDeliveries, type DeliveryOutcome, settleDeliveries } from './queue.ts';
import { nextCapacity, nextWait } from './schedule.ts';
import { secretEncryption } from './secrets.ts';
import { sendMessage, webhookAddresses } from './send-delivery.ts';

export type SendingServices = Pick<Services, 'config' | 'logger' | 'clock' | 'random' | 'resolve'>;

export interface SendingOptions {
  atOnce: number;
  perHost: number;
  perOrganization: number;
  /** Milliseconds, while there are no events or due deliveries. */
  pollMs: number;
  /** Longer than any attempt takes. */
  leaseMs: number;
  receiverMs: number;
}

/** Milliseconds between claims, and for which outcomes are collected. */
const TICK_MS = 20;
const RETRY_MS = 500;
/** Number of unwritten outcomes above which no more deliveries are claimed. */
const MAX_UNWRITTEN = 2_000;
const WRITE_BATCH = 500;
/** Milliseconds after which the state of an idle host is evicted. */
const HOST_TTL_MS = 60_000;

interface Host {
  sending: number;
  capacity: number;
  /** Milliseconds of a monotonic clock. */
  endedAt: number;
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/** Claims due deliveries, sends them within limits per host and organization, and writes their outcomes. */
export class DeliverySender {
  readonly #services: SendingServices;
  readonly #pool: pg.Pool;
  readonly #options: SendingOptions;
  readonly #client: ReturnType<typeof createOutboundClient>;
  readonly #encryption: ReturnType<typeof secretEncryption>;
  readonly #hosts = new Map<string, Host>();
  readonly #organizations = new Map<number, number>();
  readonly #running = new Set<Promise<void>>();
  #unwritten: DeliveryOutcome[] = [];
  /** An attempt has ended since the last claim. */
  #freed = false;
  #ended = false;

  constructor(services: SendingServices, pool: pg.Pool, options: SendingOptions) {
    const { config, random, resolve } = services;
    this.#services = services;
    this.#pool = pool;
    this.#options = options;
    this.#client = createOutboundClient({
      ...webhookAddresses(config),
      connections: options.perHost,
      userAgent: `Service-Webhooks/1 (+${config.siteUrl})`,
      resolve,
    });
    this.#encryption = secretEncryption(config.encryptionKeys, random);
  }

  /** Sends until the signal, then waits for running attempts and writes their outcomes. */
  async run(signal: AbortSignal): Promise<void> {
    const writing = this.#write();
    while (!signal.aborted) {
      this.#freed = false;
      const claimed = await this.#claim().catch((error: unknown) => {
        this.#services.logger.warn({ err: error }, 'webhook deliveries not claimed, will retry');
        return null;
      });
      for (const delivery of claimed ?? []) {
        const sent = this.#send(delivery).finally(() => this.#running.delete(sent));
        this.#running.add(sent);
      }
      const next = performance.now() + this.#options.pollMs;
      do await pause(TICK_MS, signal);
      while (!signal.aborted && !claimed?.length && !this.#freed && performance.now() < next);
    }
    await Promise.all(this.#running);
    this.#ended = true;
    await writing;
    this.#client.close();
  }

  async #send(delivery: ClaimedDelivery): Promise<void> {
    const { clock, random } = this.#services;
    const { organization_id: organization } = delivery;
    const host = this.#hosts.get(delivery.host) ?? { sending: 0, capacity: 1, endedAt: 0 };
    this.#hosts.set(delivery.host, host);
    host.sending++;
    this.#organizations.set(organization, (this.#organizations.get(organization) ?? 0) + 1);
    const at = clock.now();
    const begun = performance.now();
    const outcome = await this.#attempt(delivery, at);
    host.sending--;
    host.endedAt = performance.now();
    const took = host.endedAt - begun;
    host.capacity = nextCapacity(
      host.capacity,
      outcome?.error === 'timeout' ? Number.POSITIVE_INFINITY : took,
      this.#options.perHost,
    );
    const left = (this.#organizations.get(organization) ?? 1) - 1;
    if (left > 0) this.#organizations.set(organization, left);
    else this.#organizations.delete(organization);
    this.#freed = true;
    if (outcome === null) return;
    const wait = outcome.accepted ? null : nextWait(delivery.tries + 1, randomShare(random), outcome.retryAfter);
    this.#unwritten.push({
      delivery,
      status: outcome.accepted ? 'delivered' : wait === null ? 'failed' : 'pending',
      dueAt: new Date(at + (wait ?? 0)),
      at: new Date(at),
      answer: outcome.status,
      durationMs: Math.round(took),
      error: outcome.error,
      reply: outcome.reply,
    });
  }

  /** @returns null if the delivery could not be signed */
  async #attempt(delivery: ClaimedDelivery, at: number): Promise<Awaited<ReturnType<typeof sendMessage>> | null> {
    try {
      const message = {
        url: delivery.url,
        eventId: delivery.event_id,
        eventType: delivery.event_type,
        attempt: delivery.attempts + 1,
        body: delivery.body,
        secrets: delivery.secrets.map((bytes) => this.#encryption.decrypt(bytes)),
      };
      return await sendMessage(this.#client, message, at, this.#options.receiverMs);
    } catch (error) {
      // An operator must restore the encryption key. Meanwhile, the lease expires and the delivery is retried.
      this.#services.logger.error({ err: error, endpoint: delivery.endpoint }, 'a webhook could not be signed');
      return null;
    }
  }

  async #write(): Promise<void> {
    const { logger, random, clock, config } = this.#services;
    while (!this.#ended || this.#unwritten.length > 0) {
      const part = this.#unwritten.slice(0, WRITE_BATCH);
      if (part.length === 0) {
        await sleep(TICK_MS);
        continue;
      }
      try {
        const mail = config.mail ? config : null;
        const disabled = await settleDeliveries(this.#pool, random, part, new Date(clock.now()), mail);
        this.#unwritten = this.#unwritten.slice(part.length);
        for (const endpoint of disabled)
          logger.warn({ endpoint: endpoint.id }, 'a webhook was disabled: its deliveries failed too often');
      } catch (error) {
        logger.warn({ err: error }, 'webhook outcomes not recorded, will retry');
        // Other processes retry the deliveries when their leases expire.
        if (this.#ended) return;
        await sleep(RETRY_MS);
      }
    }
  }

  async #claim(): Promise<ClaimedDelivery[]> {
    const { atOnce, perHost, perOrganization, leaseMs } = this.#options;
    const limit = atOnce - this.#running.size;
    if (limit <= 0 || this.#unwritten.length > MAX_UNWRITTEN) return [];
    const idleBefore = performance.now() - HOST_TTL_MS;
    for (const [name, { sending, endedAt }] of this.#hosts)
      if (sending === 0 && endedAt < idleBefore) this.#hosts.delete(name);
    const hosts = [...this.#hosts].map(([name, host]) => [name, Math.max(0, host.capacity - host.sending)] as const);
    const organizations = [...this.#organizations].map(
      ([id, sending]) => [id, Math.max(0, perOrganization - sending)] as const,
    );
    return claimDeliveries(this.#pool, {
      limit,
      perHost,
      hosts: new Map(hosts),
      perOrganization,
      organizations: new Map(organizations),
      leaseMs,
      now: new Date(this.#services.clock.now()),
    });
  }
}
