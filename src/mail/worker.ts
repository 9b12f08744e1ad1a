import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { randomShare } from '#crypto/random-bytes.ts';
import { workQueue } from '#postgres/queue.ts';
import type { Services } from '#src/services.ts';
import { type ClaimedMail, claimMail, type MailOutcome, settleMail } from './outbox.ts';
import { createMailer, type MailSettings, mailError, SEND_LIMIT, type SendMail } from './send.ts';

export interface MailWorkerOptions {
  /** Milliseconds between claims while no mail is due. */
  pollMs: number;
  /** Milliseconds after which another worker may claim an unsettled mail: longer than sending can take. */
  leaseMs: number;
}

const DEFAULTS: MailWorkerOptions = { pollMs: 5_000, leaseMs: 5 * SEND_LIMIT };

/** Milliseconds until an outcome that could not be recorded is recorded again. */
const RETRY = 500;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Milliseconds until a mail that was not accepted is retried: for two days, as mail servers do. */
const MAIL_WAITS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/**
 * Sends the mails of the outbox, in any number of processes. A mail is sent twice only if the process or its connection to
 * Postgres fails between the acceptance by the server and its record, or if the acceptance is lost; both have one Message-ID.
 * @returns stops the worker after the current mail
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
    // Without a record, another process would send it again.
    for (;;) {
      try {
        return await settleMail(pool, mail, outcome, new Date(clock.now()));
      } catch (error) {
        logger.warn({ err: error, mail: mail.id }, 'mail status not recorded, will retry');
        if (signal.aborted) return;
        await sleep(RETRY);
      }
    }
  };

  const sendOne = async (mail: ClaimedMail): Promise<void> => {
    const error = await attempt(mailer.send, mail);
    const wait = error === null ? undefined : MAIL_WAITS[mail.tries];
    const dueAt = wait === undefined ? null : new Date(clock.now() + wait * (1 + 0.1 * randomShare(random)));
    if (error !== null) logger.warn({ mail: mail.id, error, again: dueAt !== null }, 'mail not sent');
    await settle(mail, { error, dueAt });
  };

  const claim = async (): Promise<ClaimedMail | null> => {
    try {
      return await claimMail(pool, leaseMs, new Date(clock.now()));
    } catch (error) {
      logger.warn({ err: error }, 'mail not claimed, will retry');
      return null;
    }
  };
  const running = workQueue({ claim, run: sendOne, concurrency: 1, pollMs }, signal);
  return async () => {
    stopping.abort();
    await running;
    mailer.close();
  };
}

/** @returns the reason that it was not sent, or null */
const attempt = (send: SendMail, mail: ClaimedMail): Promise<string | null> => send(mail).then(() => null, mailError);
