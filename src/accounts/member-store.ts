import { RequestError } from '#domain/errors.ts';
import * as sql from '#postgres/rows.ts';
import type { Queryable } from '#postgres/transaction.ts';
import { type AuditedChange, recordAudit } from './audit.ts';
import { newId } from './ids.ts';
import { ROLES, type Role } from './roles.ts';

/** @throws RequestError conflict if no owner remains */
export async function setMember(
  change: AuditedChange,
  organizationId: number,
  member: { email: string; name: string; role: Role },
): Promise<string> {
  const { db, random } = change;
  const before = await sql.queryRow(
    db,
    { public_id: sql.text },
    'select public_id from members where organization_id = $1 and email = $2 for update',
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

/** @throws RequestError not_found; conflict if only non-owners remain */
export async function removeMember(change: AuditedChange, organizationId: number, email: string): Promise<void> {
  const removed = await sql.queryRow(
    change.db,
    { public_id: sql.text, role: sql.oneOf(ROLES) },
    'delete from members where organization_id = $1 and email = $2 returning public_id, role',
    [organizationId, email],
  );
  if (!removed) throw new RequestError('not_found', { message: `No member has the address "${email}".` });
  if (removed.role === 'owner') await requireOwner(change.db, organizationId);
  await recordAudit(change, organizationId, 'member.removed', removed.public_id);
}

async function requireOwner(db: Queryable, organizationId: number): Promise<void> {
  const found = await sql.queryOne(
    db,
    { owners: sql.integer, members: sql.integer },
    "select count(*) filter (where role = 'owner') as owners, count(*) as members from members where organization_id = $1",
    [organizationId],
  );
  if (found.members > 0 && found.owners === 0) {
    throw new RequestError('conflict', { message: 'An organization with members must have at least one owner.' });
  }
}
