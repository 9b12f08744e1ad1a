import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { ClaimedMail } from './outbox.ts';

/** The mail server and the sender address. */
export interface MailSettings {
  /** URL of the mail server with credentials: `smtps://`, or `smtp://`, which uses TLS if the server supports it. */
  smtpUrl: string;
  from: string;
}

/** Timeouts in milliseconds: of each step, and of the whole delivery. */
const STEP_TIMEOUT_MS = 10_000;
export const SEND_TIMEOUT_MS = 60_000;

/** Sends an email. @throws if the server does not accept it */
export type SendMail = (mail: ClaimedMail) => Promise<void>;

export function createMailer({ smtpUrl, from }: MailSettings): { send: SendMail; close(): void } {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    dnsTimeout: STEP_TIMEOUT_MS,
    // Emails contain only text of this service, so the mailer never needs to read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send(mail) {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), SEND_TIMEOUT_MS);
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

/** Returns the Message-ID of an email. It is the same for every attempt, so that mail clients can recognize duplicates. */
function messageId({ id, reason, recipient }: ClaimedMail, domain: string): string {
  const digest = createHash('sha256').update(`${id} ${reason} ${recipient}`).digest('hex').slice(0, 32);
  return `<${digest}@${domain}>`;
}

/** Returns a short error code. Server messages are omitted because they contain addresses. */
export function mailError(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const name = typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code) ? code.toLowerCase() : 'failed';
  return typeof responseCode === 'number' ? `${name} ${responseCode}` : name;
}
