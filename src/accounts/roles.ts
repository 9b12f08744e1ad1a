import { RequestError } from '#domain/errors.ts';
import { component } from '#domain/json-schema.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { isAdminKind, KEY_KINDS } from './keys.ts';

export const ROLES = component('Role', ['owner', 'admin', 'developer', 'billing', 'viewer'] as const);
export type Role = (typeof ROLES)[number];

/** Changes that roles permit. Every role permits reading. `docs/security.md` lists the operations. */
export const PERMISSIONS = {
  own: ['owner'],
  manage: ['owner', 'admin'],
  develop: ['owner', 'admin', 'developer'],
  bill: ['owner', 'billing'],
  /** What concerns only the member itself. */
  belong: ROLES,
} as const satisfies Readonly<Record<string, readonly Role[]>>;
export type Permission = keyof typeof PERMISSIONS;

/** Roles that may change members and admin keys with the role `target`: those with all of its permissions. */
const outranking = (target: Role): readonly Role[] => {
  const sets: readonly (readonly Role[])[] = Object.values(PERMISSIONS);
  return ROLES.filter((role) => sets.every((roles) => !roles.includes(target) || roles.includes(role)));
};

/**
 * Requires a permission of an admin key, and all permissions of the role that is changed.
 * @throws RequestError forbidden_action; revoked_api_key, because the key of a removed member no longer has its role
 */
export async function requirePermission(
  db: Queryable,
  keyId: number,
  permission: Permission,
  target?: Role,
): Promise<void> {
  const found = await sql.queryOne(
    db,
    { role: sql.nullable(sql.oneOf(ROLES)), revoked: sql.boolean },
    `select m.role, k.revoked_at is not null as revoked
       from api_keys k left join members m on m.id = k.member_id where k.id = $1`,
    [keyId],
  );
  if (found.revoked) throw new RequestError('revoked_api_key');
  const role = found.role ?? WITHOUT_MEMBER;
  const permitted: readonly Role[] = PERMISSIONS[permission];
  const accepted = target === undefined ? permitted : permitted.filter((each) => outranking(target).includes(each));
  if (accepted.includes(role)) return;
  throw new RequestError('forbidden_action', {
    message: `The key belongs to a member with the role \`${role}\`. This change requires the role ${accepted.map((each) => `\`${each}\``).join(' or ')}.`,
  });
}

/** Role of admin keys without a member. */
const WITHOUT_MEMBER: Role = 'owner';

/** Returns the role of an admin key of the organization; null for other keys. */
export async function roleOfKey(db: Queryable, organizationId: number, publicId: string): Promise<Role | null> {
  const found = await sql.queryRow(
    db,
    { kind: sql.oneOf(KEY_KINDS), role: sql.nullable(sql.oneOf(ROLES)) },
    `select k.kind, m.role from api_keys k left join members m on m.id = k.member_id
      where k.organization_id = $1 and k.public_id = $2`,
    [organizationId, publicId],
  );
  return found && isAdminKind(found.kind) ? (found.role ?? WITHOUT_MEMBER) : null;
}
