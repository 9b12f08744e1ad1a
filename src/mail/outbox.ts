import type { Queryable } from '#postgres/transaction.ts';

/** A mail that tells of something. */
export interface Mail {
  /** What it tells of. A recipient is told of it once, however often this is written. */
  reason: string;
  recipient: string;
  subject: string;
  body: string;
}

/** A mail that is to be sent now, by whoever claimed it. */
export interface ClaimedMail extends Mail {
  id: number;
  claims: number;
  tries: number;
}

/** Days that a mail is kept after it was sent or given up: it holds an address. */
export const MAIL_DAYS = 30;

/** Puts mails into the outbox, in the transaction of what they tell of: they are sent if it commits, and only then. */
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

/** Claims mails that are due. Processes that ask at the same time get different ones. */
export async function claimMails(
  db: Queryable,
  { limit, leaseMs, now }: { limit: number; leaseMs: number; now: Date },
): Promise<ClaimedMail[]> {
  const { rows } = await db.query<ClaimedMail>(
    `update mails set due_at = $1::timestamptz + $2 * interval '1 ms', claims = claims + 1
      where id in (select id from mails where finished_at is null and due_at <= $1
                    order by due_at, id limit $3 for no key update skip locked)
     returning id, reason, recipient, subject, body, claims, tries`,
    [now, leaseMs, limit],
  );
  return rows;
}

/** How sending a claimed mail went. */
export interface MailOutcome {
  /** Null where it was sent. */
  error: string | null;
  /** When it is tried again; null where it is not. */
  dueAt: Date | null;
}

/** Writes how it went. What another process has claimed meanwhile is not written. */
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
