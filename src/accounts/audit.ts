import { component } from '#domain/json-schema.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import { newId } from './ids.ts';
import type { RandomBytes } from './keys.ts';

/** An API key, an operator on the command line, or the service itself. */
interface Actor {
  type: 'key' | 'operator' | 'system';
  /** Public id of the key, or name of the operator. */
  id: string | null;
  requestId: string | null;
}

export const AUDIT_ACTIONS = component('AuditAction', [
  'organization.created',
  'organization.plan_changed',
  'organization.plan_change_scheduled',
  'organization.plan_requested',
  'organization.suspended',
  'organization.resumed',
  'organization.settings_changed',
  'organization.closed',
  'member.added',
  'member.invited',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'project.created',
  'project.renamed',
  'project.cap_changed',
  'project.deleted',
  'key.created',
  'key.changed',
  'key.rotated',
  'key.revoked',
  'key.exposed',
  'key.claimed',
  'export.created',
  'export.canceled',
  'export.retried',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.tested',
  'webhook.replayed',
  'webhook.recovered',
  'webhook.secret_rotated',
  'webhook.enabled',
  'webhook.disabled',
] as const);
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditedChange {
  db: Transaction;
  random: RandomBytes;
  actor: Actor;
}

declare const holdsLock: unique symbol;
/** A transaction that holds the lock of an organization. Only `lockOrganization` returns one. */
export type LockedTransaction = Transaction & { readonly [holdsLock]: true };
/** A change under the lock of its organization, so that concurrent changes cannot exceed limits. */
export type LockedChange = AuditedChange & { readonly db: LockedTransaction };

/**
 * @param target public id of the changed object; null for the organization
 * @param details without any secret
 */
export async function recordAudit(
  { db, random, actor }: AuditedChange,
  organizationId: number,
  action: AuditAction,
  target: string | null,
  details: object = {},
): Promise<void> {
  await db.query(
    `insert into audit_events (public_id, organization_id, actor_type, actor_id, action, target_id, details, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      newId('aud', random),
      organizationId,
      actor.type,
      actor.id,
      action,
      target,
      JSON.stringify(details),
      actor.requestId,
    ],
  );
}
