import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { ClaimedMail } from './outbox.ts';

/** Where mail goes out. */
export interface MailSettings {
  /** Of the server, with credentials; `smtps://`, or `smtp://` with TLS where the server offers it. */
  smtpUrl: string;
  from: string;
}

/** Milliseconds for each step, and for all of it. */
const STEP_LIMIT = 10_000;
export const SEND_LIMIT = 60_000;

/** Sends a mail. Throws where it was not accepted. */
export type SendMail = (mail: ClaimedMail) => Promise<void>;

export function createMailer({ smtpUrl, from }: MailSettings): { send: SendMail; close(): void } {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: STEP_LIMIT,
    greetingTimeout: STEP_LIMIT,
    socketTimeout: STEP_LIMIT,
    dnsTimeout: STEP_LIMIT,
    // The text is written by this service: it contains no files or addresses to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send(mail) {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), SEND_LIMIT);
      });
      try {
        await Promise.race([
          transport.sendMail({
            from,
            to: mail.recipient,
            subject: mail.subject,
            text: mail.body,
            messageId: messageId(mail, domain),
            headers: { 'Auto-Submitted': 'auto-generated' },
          }),
          limit,
        ]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
}

/** Returns the same Message-ID each time a mail is sent, so that recipients can recognize duplicates. */
function messageId({ id, reason, recipient }: ClaimedMail, domain: string): string {
  const digest = createHash('sha256').update(`${id} ${reason} ${recipient}`).digest('hex').slice(0, 32);
  return `<${digest}@${domain}>`;
}

/** A short name for what went wrong. Messages of servers repeat addresses. */
export function mailError(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const name = typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code) ? code.toLowerCase() : 'failed';
  return typeof responseCode === 'number' ? `${name} ${responseCode}` : name;
}
