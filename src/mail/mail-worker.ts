import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type pg from 'pg';
import type { Config } from '#src/config.ts';
import type { Services } from '#src/services.ts';
import { randomShare } from '#stores/crypto/random-bytes.ts';
import { workQueue } from '#stores/postgres/queue.ts';
import { type ClaimedMail, claimMail, settleMail } from './outbox.ts';

/** Timeouts for each step and for the whole delivery, in milliseconds. */
const STEP_TIMEOUT_MS = 10_000;
const SEND_TIMEOUT_MS = 60_000;

const DEFAULTS = {
  /** Polling interval in milliseconds while no email is due. */
  pollMs: 1_000,
  /** Milliseconds after which others may claim an email without a recorded outcome. */
  leaseMs: 5 * SEND_TIMEOUT_MS,
};

/** Emails at once, so that a slow delivery delays no others. */
const CONCURRENCY = 4;

/** Delay in milliseconds between attempts to record an outcome. */
const RETRY_MS = 500;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Retry delays in milliseconds, by the number of earlier attempts. They cover about two days in total. */
const RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
];

/**
 * Any number of processes may run. An email is sent twice only if its acceptance by the server is lost or not recorded.
 * Both copies have the same `Message-ID`.
 * @returns a function that stops the worker after the current emails
 */
export function startMail(
  { logger, clock, random }: Pick<Services, 'logger' | 'clock' | 'random'>,
  pool: pg.Pool,
  { smtpUrl, from }: NonNullable<Config['mail']>,
  given: Partial<typeof DEFAULTS> = {},
): () => Promise<void> {
  const { pollMs, leaseMs } = { ...DEFAULTS, ...given };
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    dnsTimeout: STEP_TIMEOUT_MS,
    // Emails contain only text of this service.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  const stopping = new AbortController();
  const { signal } = stopping;

  /** @throws if the server does not accept it */
  const send = async (mail: ClaimedMail): Promise<void> => {
    const sent = transport.sendMail({
      from,
      to: mail.recipient,
      subject: mail.subject,
      text: mail.body,
      messageId: messageId(mail, domain),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    const late = sleep(SEND_TIMEOUT_MS, null, { ref: false });
    if ((await Promise.race([sent, late])) === null) throw Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' });
  };

  const settle = async (mail: ClaimedMail, error: string | null, dueAt: Date | null): Promise<void> => {
    // Another process would send an unrecorded email again.
    for (;;) {
      try {
        return await settleMail(pool, mail, { error, dueAt, now: new Date(clock.now()) });
      } catch (failure) {
        logger.warn({ err: failure, mail: mail.id }, 'mail status not recorded, will retry');
        if (signal.aborted) return;
        await sleep(RETRY_MS);
      }
    }
  };

  const sendOne = async (mail: ClaimedMail): Promise<void> => {
    const error = await send(mail).then(() => null, mailError);
    const wait = error === null ? undefined : RETRY_DELAYS_MS[mail.tries];
    const dueAt = wait === undefined ? null : new Date(clock.now() + wait * (1 + 0.1 * randomShare(random)));
    if (error !== null) logger.warn({ mail: mail.id, error, again: dueAt !== null }, 'mail not sent');
    await settle(mail, error, dueAt);
  };

  const claim = () => claimMail(pool, leaseMs, new Date(clock.now()));
  const onError = (error: unknown) => logger.warn({ err: error }, 'mail not claimed, will retry');
  const running = workQueue({ claim, onError, run: sendOne, concurrency: CONCURRENCY, pollMs }, signal);
  return async () => {
    stopping.abort();
    await running;
    transport.close();
  };
}

/** The same for every attempt, so that mail clients recognize duplicates. */
function messageId({ id, reason, recipient }: ClaimedMail, domain: string): string {
  const digest = createHash('sha256').update(`${id} ${reason} ${recipient}`).digest('hex').slice(0, 32);
  return `<${digest}@${domain}>`;
}

/** The server's message contains addresses. */
function mailError(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const name = typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code) ? code.toLowerCase() : 'failed';
  return typeof responseCode === 'number' ? `${name} ${responseCode}` : name;
}
