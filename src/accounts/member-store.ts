import { domainToASCII } from 'node:url';
import { RequestError } from '#domain/errors.ts';
import { hasUnseen } from '#domain/text/visible.ts';
import { findRecord, type Records } from '#stores/postgres/records.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { type LockedChange, recordAudit } from './audit.ts';
import { newId } from './ids.ts';
import { ROLES, type Role } from './roles.ts';

const MEMBER = {
  number: sql.integer,
  id: sql.text,
  email: sql.text,
  name: sql.text,
  role: sql.oneOf(ROLES),
  created_at: sql.timestamp,
  invited_at: sql.nullable(sql.timestamp),
  joined_at: sql.nullable(sql.timestamp),
};

export const MEMBERS: Records<typeof MEMBER> = {
  columns: MEMBER,
  select: 'm.id as number, m.public_id as id, m.email, m.name, m.role, m.created_at, m.invited_at, m.joined_at',
  from: 'members m',
  table: 'm',
};

export const findMember = (db: Queryable, organizationId: number, idOrEmail: string) =>
  findRecord(db, MEMBERS, organizationId, idOrEmail, ['public_id', 'email']);

/** Without characters that a page or a mail client could read as markup or as another recipient. */
export const isEmail = (text: string): boolean =>
  /^[^@\s<>()[\]",:;\\]+@[^@\s<>()[\]",:;\\]+\.[^@\s<>()[\]",:;\\.]+$/u.test(text) && !hasUnseen(text);

/**
 * Returns an address as it is stored: without spaces around it, in lower case, and with the ASCII form of its domain, so
 * that one mailbox has one address. Pure.
 */
export function readAddress(text: string): string {
  const email = text.trim().toLowerCase();
  const [name, domain] = [email.slice(0, email.lastIndexOf('@') + 1), email.slice(email.lastIndexOf('@') + 1)];
  return `${name}${domainToASCII(domain) || domain}`;
}

/** @throws RequestError conflict if no owner remains */
export async function setMember(
  change: LockedChange,
  organizationId: number,
  member: { email: string; name: string; role: Role },
): Promise<string> {
  const { db, random } = change;
  const before = await sql.queryRow(
    db,
    { public_id: sql.text },
    'select public_id from members where organization_id = $1 and email = $2',
    [organizationId, member.email],
  );
  const publicId = before?.public_id ?? newId('mem', random);
  await db.query(
    `insert into members (public_id, organization_id, email, name, role) values ($1, $2, $3, $4, $5)
     on conflict (organization_id, email) do update set name = excluded.name, role = excluded.role`,
    [publicId, organizationId, member.email, member.name, member.role],
  );
  if (before) await requireOwner(db, organizationId);
  const action = before ? 'member.role_changed' : 'member.added';
  await recordAudit(change, organizationId, action, publicId, { role: member.role });
  return publicId;
}

/**
 * Data keys of the member remain, because services may use them.
 * @param isLeaving whether the member removes itself: an owner who has signed in leaves another who has, because an
 * invitation may reach nobody
 * @throws RequestError not_found; conflict if no owner remains
 */
export async function removeMember(
  change: LockedChange,
  organizationId: number,
  idOrEmail: string,
  { isLeaving = false } = {},
): Promise<void> {
  const { db } = change;
  const member = await findMember(db, organizationId, idOrEmail);
  if (!member)
    throw new RequestError('not_found', {
      param: 'member_id',
      message: `No member has the address or id "${idOrEmail}".`,
    });
  const keys = await sql.queryRows(
    db,
    { public_id: sql.text },
    `update api_keys set revoked_at = now()
      where member_id = $1 and revoked_at is null and kind not in ('live', 'test') returning public_id`,
    [member.number],
  );
  const removed = JSON.stringify({ id: member.id, name: member.name });
  await db.query('update api_keys set removed_member = $2 where member_id = $1', [member.number, removed]);
  await db.query('delete from members where id = $1', [member.number]);
  if (member.role === 'owner') await requireOwner(db, organizationId, isLeaving && member.joined_at !== null);
  await recordAudit(change, organizationId, 'member.removed', member.id);
  for (const { public_id } of keys) await recordAudit(change, organizationId, 'key.revoked', public_id);
}

async function requireOwner(db: Queryable, organizationId: number, isJoined = false): Promise<void> {
  const owners = `from members where organization_id = $1 and role = 'owner'${isJoined ? ' and joined_at is not null' : ''}`;
  if (await sql.hasRows(db, owners, [organizationId])) return;
  throw new RequestError('conflict', {
    message: isJoined
      ? 'No other owner has signed in. Leave when one has, or close the account.'
      : 'An organization with members must have at least one owner.',
  });
}
