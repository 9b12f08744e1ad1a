import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { randomShare } from '#crypto/random-bytes.ts';
import type { Services } from '#src/services.ts';
import { type ClaimedMail, claimMails, type MailOutcome, settleMail } from './outbox.ts';
import { createMailer, type MailSettings, mailError, SEND_LIMIT, type SendMail } from './send.ts';

export interface MailWorkerOptions {
  /** Milliseconds between looks for mail. */
  pollMs: number;
  /** Milliseconds after which a mail whose worker says nothing is another's: longer than sending can take. */
  leaseMs: number;
}

const DEFAULTS: MailWorkerOptions = { pollMs: 5_000, leaseMs: 5 * SEND_LIMIT };

/** Mails that a process claims at a time; it sends one after the other. */
const AT_ONCE = 4;
/** Milliseconds until what could not be written is tried again. */
const RETRY = 500;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Milliseconds until a mail that was not accepted is tried again: for two days, as mail servers do. */
const MAIL_WAITS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/**
 * Sends what is in the outbox. Any number of processes do so side by side. A mail is sent once: a second time only where the
 * process or its connection to Postgres died between the server's acceptance and the writing of it, or the server's
 * acceptance was lost on its way; the two have one Message-ID.
 * @returns what stops it, after the mail that is being sent
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
    // Until it is written, another process would send it again.
    for (;;) {
      try {
        return await settleMail(pool, mail, outcome, new Date(clock.now()));
      } catch (error) {
        logger.warn({ err: error, mail: mail.id }, 'what became of a mail was not written; it is tried again');
        if (signal.aborted) return;
        await sleep(RETRY);
      }
    }
  };

  const sendOne = async (mail: ClaimedMail): Promise<void> => {
    const error = await attempt(mailer.send, mail);
    const wait = error === null ? undefined : MAIL_WAITS[mail.tries];
    const dueAt = wait === undefined ? null : new Date(clock.now() + wait * (1 + 0.1 * randomShare(random)));
    if (error !== null) logger.warn({ mail: mail.id, error, again: dueAt !== null }, 'a mail was not sent');
    await settle(mail, { error, dueAt });
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const now = new Date(clock.now());
      const mails = await claimMails(pool, { limit: AT_ONCE, leaseMs, now }).catch((error: unknown) => {
        logger.warn({ err: error }, 'no mail could be claimed');
        return [];
      });
      for (const mail of mails) {
        // What is not begun is left to whoever comes next.
        if (signal.aborted) break;
        await sendOne(mail);
      }
      if (mails.length === 0) await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
    mailer.close();
  };
}

/** @returns why it was not sent; null where it was */
const attempt = (send: SendMail, mail: ClaimedMail): Promise<string | null> => send(mail).then(() => null, mailError);
