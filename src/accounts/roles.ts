import { RequestError } from '#domain/errors.ts';
import { component } from '#domain/json-schema.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';

export const ROLES = component('Role', ['owner', 'admin', 'developer', 'billing', 'viewer'] as const);
export type Role = (typeof ROLES)[number];

/** Every role permits reading. */
export const PERMISSIONS = {
  own: ['owner'],
  manage: ['owner', 'admin'],
  develop: ['owner', 'admin', 'developer'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;
export type Permission = keyof typeof PERMISSIONS;

/**
 * A key without a member has the permissions of an owner.
 * @throws RequestError forbidden_action
 */
export async function requirePermission(db: Queryable, keyId: number, permission: Permission): Promise<void> {
  const found = await sql.queryRow(
    db,
    { role: sql.oneOf(ROLES) },
    'select m.role from api_keys k join members m on m.id = k.member_id where k.id = $1',
    [keyId],
  );
  const permitted: readonly Role[] = PERMISSIONS[permission];
  if (found === null || permitted.includes(found.role)) return;
  throw new RequestError('forbidden_action', {
    message: `The key belongs to a member with the role \`${found.role}\`. This change requires the role ${permitted.map((role) => `\`${role}\``).join(' or ')}.`,
  });
}
