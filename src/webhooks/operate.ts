import { type Actor, recordAudit } from '#accounts/audit.ts';
import type { RandomBytes } from '#accounts/keys.ts';
import type { Encryption } from '#crypto/encryption.ts';
import { ApiError } from '#domain/errors.ts';
import type { Queryable, Transaction } from '#postgres/transaction.ts';
import { newSecret } from './secrets.ts';

interface Operated {
  number: number;
  organization_id: number;
  status: 'enabled' | 'disabled';
  secret: Buffer;
}

/** An endpoint as operators see it. */
export type OperatorView = {
  id: string;
  organization: string;
  url: string;
  event_types: string[];
  status: string;
  disabled_reason: string | null;
  delivered: number;
  failed: number;
  pending: number;
  sequence: number;
  created_at: Date;
};

/** Endpoints of all organizations, newest first. */
export async function recentEndpoints(db: Queryable, limit: number): Promise<OperatorView[]> {
  const { rows } = await db.query<OperatorView>(
    `select e.public_id as id, o.public_id as organization, e.url, e.event_types, e.status, e.disabled_reason, e.delivered,
            e.failed, (select count(*)::int from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending') as pending,
            e.sequence, e.created_at
       from webhook_endpoints e join organizations o on o.id = e.organization_id order by e.id desc limit $1`,
    [limit],
  );
  return rows;
}

/** Sends again to an endpoint: what waits first, then what went out meanwhile, 500 events a run. */
export async function enableEndpoint(db: Transaction, random: RandomBytes, id: string, actor: Actor): Promise<void> {
  const found = await lock(db, id);
  if (found.status === 'enabled') throw new ApiError('conflict', { message: 'This endpoint is enabled.' });
  await db.query(
    `update webhook_endpoints set status = 'enabled', disabled_reason = null, disabled_at = null, exhausted = 0 where id = $1`,
    [found.number],
  );
  await recordAudit(db, random, found.organization_id, actor, { action: 'webhook.enabled', target: id });
}

/** Stops everything that goes to an endpoint. What waits for it stays. */
export async function disableEndpoint(db: Transaction, random: RandomBytes, id: string, actor: Actor): Promise<void> {
  const found = await lock(db, id);
  await db.query(
    `update webhook_endpoints set status = 'disabled', disabled_reason = 'operator', disabled_at = clock_timestamp() where id = $1`,
    [found.number],
  );
  await recordAudit(db, random, found.organization_id, actor, {
    action: 'webhook.disabled',
    target: id,
    details: { reason: 'operator' },
  });
}

/**
 * Gives an endpoint a new secret; the old one signs beside it for so many seconds, so that the receiver may change over
 * at any moment between. @returns the new secret
 */
export async function rotateSecret(
  db: Transaction,
  { random, encryption }: { random: RandomBytes; encryption: Encryption },
  id: string,
  overlapSeconds: number,
  actor: Actor,
): Promise<string> {
  const found = await lock(db, id);
  const secret = newSecret(random);
  await db.query(
    `update webhook_endpoints set secret = $2, previous_secret = $3,
            previous_secret_until = clock_timestamp() + make_interval(secs => $4) where id = $1`,
    [found.number, encryption.encrypt(secret), found.secret, overlapSeconds],
  );
  await recordAudit(db, random, found.organization_id, actor, {
    action: 'webhook.secret_rotated',
    target: id,
    details: { overlap_seconds: overlapSeconds },
  });
  return secret;
}

/** Which ended deliveries are sent once more: those made at or after `from` and before `to`. */
export interface ReplayRange {
  from: Date;
  to: Date;
  failedOnly: boolean;
}

/** @returns how many deliveries are sent again, each under its own event id */
export async function replayRange(
  db: Transaction,
  random: RandomBytes,
  id: string,
  { from, to, failedOnly }: ReplayRange,
  actor: Actor,
): Promise<number> {
  const found = await lock(db, id);
  const { rowCount } = await db.query(
    `update webhook_deliveries set status = 'pending', requested = true, tries = 0, due_at = clock_timestamp(), finished_at = null
      where endpoint_id = $1 and created_at >= $2 and created_at < $3 and status <> 'pending' and (not $4 or status = 'failed')`,
    [found.number, from, to, failedOnly],
  );
  await recordAudit(db, random, found.organization_id, actor, {
    action: 'webhook.replayed',
    target: id,
    details: { from: from.toISOString(), to: to.toISOString(), deliveries: rowCount ?? 0 },
  });
  return rowCount ?? 0;
}

/** The secrets that sign for an endpoint now, the newest first. @throws Error where there is no such endpoint */
export async function readSecrets(db: Queryable, encryption: Encryption, id: string): Promise<string[]> {
  const { rows } = await db.query<{ secret: Buffer; previous: Buffer | null }>(
    `select secret, case when previous_secret_until > clock_timestamp() then previous_secret end as previous
       from webhook_endpoints where public_id = $1`,
    [id],
  );
  const [found] = rows;
  if (!found) throw new ApiError('not_found', { message: `There is no webhook endpoint ${id}.` });
  return [found.secret, found.previous].flatMap((bytes) => (bytes ? [encryption.decrypt(bytes)] : []));
}

/** Encrypts every secret again, under the newest key. Older keys are not needed afterwards. @returns how many */
export async function reencryptSecrets(db: Transaction, encryption: Encryption): Promise<number> {
  const { rows } = await db.query<{ id: number; secret: Buffer; previous_secret: Buffer | null }>(
    'select id, secret, previous_secret from webhook_endpoints order by id for no key update',
  );
  const again = (bytes: Buffer | null) => bytes && encryption.encrypt(encryption.decrypt(bytes));
  for (const { id, secret, previous_secret } of rows)
    await db.query('update webhook_endpoints set secret = $2, previous_secret = $3 where id = $1', [
      id,
      again(secret),
      again(previous_secret),
    ]);
  return rows.length;
}

async function lock(db: Transaction, id: string): Promise<Operated> {
  const { rows } = await db.query<Operated>(
    'select id as number, organization_id, status, secret from webhook_endpoints where public_id = $1 for no key update',
    [id],
  );
  if (!rows[0]) throw new ApiError('not_found', { message: `There is no webhook endpoint ${id}.` });
  return rows[0];
}
