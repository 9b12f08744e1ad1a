import { RequestError } from '#domain/errors.ts';
import { readRecord } from '#stores/postgres/records.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { type AuditedChange, type LockedChange, recordAudit } from './audit.ts';
import {
  HAS_SECRET,
  KEYS,
  type KeyRecord,
  keyNameTaken,
  memberNumberOf,
  noKey,
  planOf,
  projectNumberOf,
  requireScopes,
} from './key-store.ts';
import { KEY_KINDS, SECRET_KINDS } from './keys.ts';
import type { Scope } from './scopes.ts';

/** Fields that are left out keep their values. */
export interface KeyChanges {
  name?: string | undefined;
  project_id?: string | null | undefined;
  member_id?: string | null | undefined;
  scopes?: readonly Scope[] | null | undefined;
  expires_at?: Date | null | undefined;
}

/**
 * Refusals that processes repeat apply for up to a second.
 * @throws RequestError not_found (key, project, member), scope_not_in_plan, name_taken; conflict for a key that is not
 *   active or was rotated, and for changes that do not apply to its kind
 */
export async function changeKey(
  change: LockedChange,
  organizationId: number,
  publicId: string,
  { name, project_id, member_id, scopes, expires_at }: KeyChanges,
): Promise<KeyRecord> {
  const { db } = change;
  const found = await sql.queryRow(
    db,
    { id: sql.integer, kind: sql.oneOf(KEY_KINDS), usable: sql.boolean },
    `select id, kind, revoked_at is null and (expires_at is null or expires_at > now()) and rotated_to is null as usable
       from api_keys where organization_id = $1 and public_id = $2`,
    [organizationId, publicId],
  );
  if (!found) throw noKey();
  if (!found.usable)
    throw new RequestError('conflict', { message: 'Only an active key that has not been rotated can be changed.' });
  if (!SECRET_KINDS.some((kind) => kind === found.kind))
    throw new RequestError('conflict', {
      message: `A key of the kind \`${found.kind}\` cannot be changed: an expiry would lock its member out. Revoke it.`,
    });
  // Otherwise its holder could take the role of another member.
  if (found.kind === 'admin' && (project_id !== undefined || member_id !== undefined || scopes !== undefined))
    throw new RequestError('conflict', {
      message: 'Only the name and the expiry of a key of the kind `admin` can be changed.',
    });
  if (scopes) requireScopes(scopes, await planOf(db, organizationId));
  const sets: Record<string, unknown> = { name, scopes, expires_at };
  if (project_id !== undefined)
    sets.project_id = project_id === null ? null : await projectNumberOf(db, organizationId, project_id);
  if (member_id !== undefined)
    Object.assign(sets, {
      member_id: member_id === null ? null : await memberNumberOf(db, organizationId, member_id),
      removed_member: null,
    });
  if (
    name !== undefined &&
    (await sql.hasRows(
      db,
      `from api_keys where organization_id = $1 and name = $2 and revoked_at is null and id <> $3 and ${HAS_SECRET}`,
      [organizationId, name, found.id],
    ))
  )
    throw keyNameTaken();
  const entries = Object.entries(sets).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return readRecord(db, KEYS, organizationId, publicId);
  await db.query(
    `update api_keys set ${entries.map(([column], index) => `${column} = $${index + 2}`).join(', ')} where id = $1`,
    [found.id, ...entries.map(([, value]) => value)],
  );
  const details = { name, project_id, member_id, scopes, expires_at };
  await recordAudit(change, organizationId, 'key.changed', publicId, details);
  return readRecord(db, KEYS, organizationId, publicId);
}

/** Returns the public id of the member to whom a key belongs; null for none. */
export async function memberOfKey(db: Queryable, keyNumber: number): Promise<string | null> {
  const found = await sql.queryOne(
    db,
    { id: sql.nullable(sql.text) },
    'select m.public_id as id from api_keys k left join members m on m.id = k.member_id where k.id = $1',
    [keyNumber],
  );
  return found.id;
}

export async function revokeAllKeys(change: AuditedChange, organizationId: number): Promise<void> {
  const keys = await sql.queryRows(
    change.db,
    { public_id: sql.text },
    'update api_keys set revoked_at = now() where organization_id = $1 and revoked_at is null returning public_id',
    [organizationId],
  );
  for (const { public_id } of keys) await recordAudit(change, organizationId, 'key.revoked', public_id);
}
