import type { Queryable } from '#postgres/transaction.ts';

/** A notification by mail. */
export interface Mail {
  /** Identifies the event. Each recipient gets one mail for each reason. */
  reason: string;
  recipient: string;
  subject: string;
  body: string;
}

/** A mail that its claimant sends now. */
export interface ClaimedMail extends Mail {
  id: number;
  claims: number;
  tries: number;
}

/** Days that a mail is retained after it was sent or has failed: it contains an address. */
export const MAIL_DAYS = 30;

/** Puts mails into the outbox, in the transaction of their event: they are sent only if it commits. */
export async function queueMails(db: Queryable, mails: readonly Mail[], now: Date): Promise<void> {
  if (mails.length === 0) return;
  await db.query(
    `insert into mails (reason, recipient, subject, body, created_at, due_at)
     select *, $5::timestamptz, $5 from unnest($1::text[], $2::text[], $3::text[], $4::text[])
     on conflict (reason, recipient) do nothing`,
    [
      mails.map(({ reason }) => reason),
      mails.map(({ recipient }) => recipient),
      mails.map(({ subject }) => subject),
      mails.map(({ body }) => body),
      now,
    ],
  );
}

/** Claims the mail that is due longest. Concurrent workers get different ones. */
export async function claimMail(db: Queryable, leaseMs: number, now: Date): Promise<ClaimedMail | null> {
  const { rows } = await db.query<ClaimedMail>(
    `update mails set due_at = $1::timestamptz + $2 * interval '1 ms', claims = claims + 1
      where id = (select id from mails where finished_at is null and due_at <= $1
                   order by due_at, id limit 1 for no key update skip locked)
     returning id, reason, recipient, subject, body, claims, tries`,
    [now, leaseMs],
  );
  return rows[0] ?? null;
}

/** The outcome of sending a claimed mail. */
export interface MailOutcome {
  /** Null if it was sent. */
  error: string | null;
  /** When it is retried; null if it is not. */
  dueAt: Date | null;
}

/** Records an outcome, unless another process has claimed the mail since. */
export async function settleMail(
  db: Queryable,
  { id, claims }: ClaimedMail,
  { error, dueAt }: MailOutcome,
  now: Date,
): Promise<void> {
  await db.query(
    `update mails set tries = tries + 1, error = $3, due_at = coalesce($4, due_at),
            finished_at = case when $4::timestamptz is null then $5::timestamptz end
      where id = $1 and claims = $2 and finished_at is null`,
    [id, claims, error, dueAt, now],
  );
}
