import * as sql from '#postgres/rows.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { Mail } from './outbox.ts';

/** Returns the email addresses of an organization's owners. */
export async function readOwners(db: Queryable, organizationId: number): Promise<string[]> {
  const owners = await sql.queryRows(
    db,
    { email: sql.text },
    `select email from members where organization_id = $1 and role = 'owner' order by email`,
    [organizationId],
  );
  return owners.map(({ email }) => email);
}

/**
 * Queues an email to every owner of every organization.
 * @returns number of queued emails, without owners for whom the email was already queued
 */
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
