import * as sql from '#stores/postgres/rows.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';

const MAIL = {
  /** Identifies the reported event. Each recipient receives one email per reason. */
  reason: sql.text,
  recipient: sql.text,
  subject: sql.text,
  body: sql.text,
};
const CLAIMED_MAIL = { ...MAIL, id: sql.integer, claims: sql.integer, tries: sql.integer };

export type Mail = sql.RowOf<typeof MAIL> & {
  /** When the mail becomes worthless. Such mails are sent before others. */
  expires_at?: Date;
};

export type ClaimedMail = sql.RowOf<typeof CLAIMED_MAIL>;

/** Emails contain personal addresses. */
export const MAIL_DAYS = 30;

/** The mails are sent if the transaction commits. */
export async function queueMails(db: Transaction, mails: readonly Mail[], now: Date, dueAt = now): Promise<void> {
  if (mails.length === 0) return;
  await db.query(
    `insert into mails (reason, recipient, subject, body, expires_at, created_at, due_at)
     select *, $2::timestamptz, $3::timestamptz
       from json_to_recordset($1::json) as m (reason text, recipient text, subject text, body text, expires_at timestamptz)
     on conflict (reason, recipient) do nothing`,
    [JSON.stringify(mails), now, dueAt],
  );
}

/** Claims the email that became due first, of those that expire if there are any. Expired emails are not sent. */
export function claimMail(db: Queryable, leaseMs: number, now: Date): Promise<ClaimedMail | null> {
  return sql.queryRow(
    db,
    CLAIMED_MAIL,
    `update mails set due_at = $1::timestamptz + $2 * interval '1 ms', claims = claims + 1
      where id = (select id from mails where finished_at is null and due_at <= $1 and (expires_at is null or expires_at > $1)
                   order by expires_at is null, due_at, id limit 1 for no key update skip locked)
     returning id, reason, recipient, subject, body, claims, tries`,
    [now, leaseMs],
  );
}

/**
 * Does nothing if another worker has claimed the email. The text of a finished email is deleted, because it may contain a
 * link that signs a person in.
 * @param outcome.error null if the email was sent
 * @param outcome.dueAt time of the next attempt; null if there is none
 */
export async function settleMail(
  db: Queryable,
  { id, claims }: ClaimedMail,
  { error, dueAt, now }: { error: string | null; dueAt: Date | null; now: Date },
): Promise<void> {
  await db.query(
    `update mails set tries = tries + 1, error = $3, due_at = coalesce($4, due_at),
            body = case when $4::timestamptz is null then '' else body end,
            finished_at = case when $4::timestamptz is null then $5::timestamptz end
      where id = $1 and claims = $2 and finished_at is null`,
    [id, claims, error, dueAt, now],
  );
}

/** Emails that wait, newest first. */
export const readWaiting = (db: Queryable, now: Date) =>
  sql.queryRows(
    db,
    MAIL,
    `select reason, recipient, subject, body from mails
      where finished_at is null and (expires_at is null or expires_at > $1) order by id desc limit 50`,
    [now],
  );

export async function readOwners(db: Queryable, organizationId: number): Promise<string[]> {
  const owners = await sql.queryRows(
    db,
    { email: sql.text },
    `select email from members where organization_id = $1 and role = 'owner' order by email`,
    [organizationId],
  );
  return owners.map(({ email }) => email);
}

/** @returns number of queued emails */
export async function mailAllOwners(
  db: Queryable,
  { reason, subject, body }: Omit<Mail, 'recipient'>,
  now: Date,
): Promise<number> {
  const { rowCount } = await db.query(
    `insert into mails (reason, recipient, subject, body, created_at, due_at)
     select distinct $1, email, $2, $3, $4::timestamptz, $4 from members where role = 'owner'
     on conflict (reason, recipient) do nothing`,
    [reason, subject, body, now],
  );
  return rowCount ?? 0;
}
