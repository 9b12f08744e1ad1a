import { RequestError } from '#domain/errors.ts';
import { type AuditedChange, recordAudit } from '#src/accounts/audit.ts';
import { mailTime } from '#src/accounts/sending-limits.ts';
import type { Config } from '#src/config.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import { queueMails } from '#src/mail/outbox.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { renderMail } from './mails.ts';

const INVITATION_MS = 7 * 86_400_000;

const INVITATION = { email: sql.text, organization: sql.text };
type Invitation = sql.RowOf<typeof INVITATION>;

/**
 * Mails an invitation to a member who has not signed in, in the transaction of the change. It is no credential: its page
 * mails a link to sign in.
 * @throws RequestError not_found; conflict if the member has joined; rate_limited
 */
export async function inviteMember(
  change: AuditedChange,
  { config, now }: { config: Pick<Config, 'serviceName' | 'siteUrl'>; now: Date },
  organizationId: number,
  memberId: string,
  language: Language,
): Promise<void> {
  const { db } = change;
  const member = await sql.queryRow(
    db,
    { ...INVITATION, joined: sql.boolean },
    `update members m set invited_at = case when m.joined_at is null then $3::timestamptz else m.invited_at end
       from organizations o
      where m.organization_id = $1 and m.public_id = $2 and o.id = m.organization_id
      returning m.email, o.name as organization, m.joined_at is not null as joined`,
    [organizationId, memberId, now],
  );
  if (!member) throw new RequestError('not_found', { param: 'member_id', message: 'No member has this id.' });
  if (member.joined) throw new RequestError('conflict', { message: 'The member has signed in already.' });
  const { email: recipient, organization } = member;
  const host = recipient.slice(recipient.lastIndexOf('@') + 1);
  const dueAt = await mailTime(db, { organizationId, host, now });
  if (!dueAt)
    throw new RequestError('rate_limited', { message: 'Too many invitations. Retry in an hour.', retryAfterS: 3_600 });
  const url = `${config.siteUrl}${pathIn(language, '/sign-in')}?invitation=${memberId}`;
  const mail = {
    reason: `invitation ${memberId} ${now.toISOString()}`,
    recipient,
    ...renderMail(config, 'invitation', language, { organization, url }),
    expires_at: new Date(now.getTime() + INVITATION_MS),
  };
  await queueMails(db, [mail], now, dueAt);
  await recordAudit(change, organizationId, 'member.invited', memberId);
}

/** Null if it has expired, or the member has signed in. */
export const findInvitation = (db: Queryable, memberId: string, now: Date): Promise<Invitation | null> =>
  sql.queryRow(
    db,
    INVITATION,
    `select m.email, o.name as organization from members m join organizations o on o.id = m.organization_id
      where m.public_id = $1 and m.joined_at is null and m.invited_at > $2`,
    [memberId, new Date(now.getTime() - INVITATION_MS)],
  );
