import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { randomShare } from '#crypto/random-bytes.ts';
import { workQueue } from '#postgres/queue.ts';
import type { Services } from '#src/services.ts';
import { type ClaimedMail, claimMail, type MailOutcome, settleMail } from './outbox.ts';
import { createMailer, type MailSettings, mailError, SEND_TIMEOUT_MS } from './send.ts';

export interface MailWorkerOptions {
  /** Polling interval in milliseconds while no email is due. */
  pollMs: number;
  /** Milliseconds after which another worker may claim an unsettled email. Longer than any delivery takes. */
  leaseMs: number;
}

const DEFAULTS: MailWorkerOptions = { pollMs: 5_000, leaseMs: 5 * SEND_TIMEOUT_MS };

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
 * Starts sending the emails in the outbox. Any number of processes may run. An email is sent twice only if the process
 * or its Postgres connection fails after the server has accepted the email but before the outcome is recorded, or if
 * the server's reply is lost. Both copies have the same `Message-ID`.
 * @returns a function that stops the worker after the current email
 */
export function startMail(
  { logger, clock, random }: Pick<Services, 'logger' | 'clock' | 'random'>,
  pool: pg.Pool,
  settings: MailSettings,
  given: Partial<MailWorkerOptions> = {},
): () => Promise<void> {
  const { pollMs, leaseMs } = { ...DEFAULTS, ...given };
  const mailer = createMailer(settings);
  const stopping = new AbortController();
  const { signal } = stopping;

  const settle = async (mail: ClaimedMail, outcome: MailOutcome): Promise<void> => {
    // Recording is retried until the worker stops, because another process would send an unrecorded email again.
    for (;;) {
      try {
        return await settleMail(pool, mail, outcome, new Date(clock.now()));
      } catch (error) {
        logger.warn({ err: error, mail: mail.id }, 'mail status not recorded, will retry');
        if (signal.aborted) return;
        await sleep(RETRY_MS);
      }
    }
  };

  const sendOne = async (mail: ClaimedMail): Promise<void> => {
    const error = await mailer.send(mail).then(() => null, mailError);
    const wait = error === null ? undefined : RETRY_DELAYS_MS[mail.tries];
    const dueAt = wait === undefined ? null : new Date(clock.now() + wait * (1 + 0.1 * randomShare(random)));
    if (error !== null) logger.warn({ mail: mail.id, error, again: dueAt !== null }, 'mail not sent');
    await settle(mail, { error, dueAt });
  };

  const claim = () => claimMail(pool, leaseMs, new Date(clock.now()));
  const onError = (error: unknown) => logger.warn({ err: error }, 'mail not claimed, will retry');
  const running = workQueue({ claim, onError, run: sendOne, concurrency: 1, pollMs }, signal);
  return async () => {
    stopping.abort();
    await running;
    mailer.close();
  };
}
