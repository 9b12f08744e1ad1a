import { RequestError } from '#domain/errors.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import { type AuditedChange, recordAudit } from '#src/accounts/audit.ts';
import type { Encryption } from '#stores/crypto/encryption.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';
import { replayDeliveries } from './deliveries.ts';
import { ENDPOINT_STATUS } from './endpoints.ts';
import { newSecret } from './secrets.ts';

const LOCKED_ENDPOINT = {
  number: sql.integer,
  organization_id: sql.integer,
  status: ENDPOINT_STATUS,
  secret: sql.bytes,
  /** Until then, the previous secret signs too. */
  rotating_until: sql.nullable(sql.timestamp),
};

type InTransaction = <T>(work: (change: AuditedChange) => Promise<T>) => Promise<T>;

/** Deliveries per batch: few, so that locks are held briefly. */
const BATCH = 1_000;

/**
 * Pending deliveries are sent first, then events since it was disabled, at most 500 per run.
 * @throws RequestError conflict if the endpoint is already enabled
 */
export async function enableEndpoint(change: AuditedChange, id: string): Promise<void> {
  const { db } = change;
  const found = await lock(db, id);
  if (found.status === 'enabled') throw new RequestError('conflict', { message: 'The endpoint is already enabled.' });
  await db.query(
    `update webhook_endpoints set status = 'enabled', disabled_reason = null, disabled_at = null,
            enabled_at = clock_timestamp() where id = $1`,
    [found.number],
  );
  await recordAudit(change, found.organization_id, 'webhook.enabled', id);
}

/**
 * Pending deliveries are retained.
 * @param reason `operator`: only an operator can enable the endpoint again; null: the organization paused it
 */
export async function disableEndpoint(change: AuditedChange, id: string, reason: 'operator' | null): Promise<void> {
  const { db } = change;
  const found = await lock(db, id);
  await db.query(
    `update webhook_endpoints set status = 'disabled', disabled_reason = $2, disabled_at = clock_timestamp() where id = $1`,
    [found.number, reason],
  );
  await recordAudit(change, found.organization_id, 'webhook.disabled', id, { reason });
}

/** Pauses the endpoints of an organization. */
export async function disableAllEndpoints(change: AuditedChange, organizationId: number): Promise<void> {
  const enabled = await sql.queryRows(
    change.db,
    { id: sql.text },
    `select public_id as id from webhook_endpoints where organization_id = $1 and status = 'enabled'`,
    [organizationId],
  );
  for (const { id } of enabled) await disableEndpoint(change, id, null);
}

/**
 * For `overlapSeconds`, the old secret signs too. Meanwhile, another rotation is refused unless forced.
 * @returns the new secret
 * @throws RequestError conflict
 */
export async function rotateSecret(
  change: AuditedChange,
  encryption: Encryption,
  id: string,
  { overlapSeconds, force = false }: { overlapSeconds: number; force?: boolean },
): Promise<string> {
  const { db, random } = change;
  const found = await lock(db, id);
  if (found.rotating_until && !force)
    throw new RequestError('conflict', {
      message: `The previous secret signs deliveries until ${isoSeconds(found.rotating_until)}, and the receiver may not have the new one yet. Rotate after that time, or force the rotation (\`force\`, or --force on the command line), which ends the previous secret immediately.`,
    });
  const secret = newSecret(random);
  await db.query(
    `update webhook_endpoints set secret = $2, previous_secret = $3,
            previous_secret_until = clock_timestamp() + make_interval(secs => $4) where id = $1`,
    [found.number, encryption.encrypt(secret), found.secret, overlapSeconds],
  );
  const details = { overlap_seconds: overlapSeconds };
  await recordAudit(change, found.organization_id, 'webhook.secret_rotated', id, details);
  return secret;
}

/** `to` is exclusive. */
export interface ReplayRange {
  from: Date;
  to: Date;
  failedOnly: boolean;
}

/**
 * In batches, each with an audit event.
 * @returns number of replayed deliveries; their event ids do not change
 */
export async function replayRange(
  inTransaction: InTransaction,
  id: string,
  { from, to, failedOnly }: ReplayRange,
): Promise<number> {
  let deliveries = 0;
  await inBatches(inTransaction, async (change, after) => {
    const { db } = change;
    const found = await lock(db, id);
    const rows = await sql.queryRows(
      db,
      { public_id: sql.text, position: sql.integer },
      `select public_id, sequence as position from webhook_deliveries
        where endpoint_id = $1 and sequence > $2 and created_at >= $3 and created_at < $4 and status <> 'pending'
          and (not $5 or status = 'failed') order by sequence limit $6`,
      [found.number, after, from, to, failedOnly, BATCH],
    );
    const ids = rows.map(({ public_id }) => public_id);
    const now = new Date();
    const replayed = await replayDeliveries(
      db,
      found.number,
      ids,
      ids.map(() => now),
    );
    const details = { from, to, deliveries: replayed };
    if (replayed > 0 || after === 0) await recordAudit(change, found.organization_id, 'webhook.replayed', id, details);
    deliveries += replayed;
    return rows;
  });
  return deliveries;
}

/** @param work processes the next `BATCH` rows after a position, and returns them */
async function inBatches(
  inTransaction: InTransaction,
  work: (change: AuditedChange, after: number) => Promise<readonly { position: number }[]>,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const first: number = after;
    const rows = await inTransaction((change) => work(change, first));
    after = rows.length < BATCH ? undefined : rows.at(-1)?.position;
  }
}

/**
 * Returns the decrypted secrets, newest first.
 * @throws RequestError not_found
 */
export async function readSecrets(db: Queryable, encryption: Encryption, id: string): Promise<string[]> {
  const found = await sql.queryRow(
    db,
    { secret: sql.bytes, previous: sql.nullable(sql.bytes) },
    `select secret, case when previous_secret_until > clock_timestamp() then previous_secret end as previous
       from webhook_endpoints where public_id = $1`,
    [id],
  );
  if (!found) throw endpointNotFound(id);
  return [found.secret, found.previous].flatMap((bytes) => (bytes ? [encryption.decrypt(bytes)] : []));
}

/**
 * With the newest key. If interrupted, run it again.
 * @returns number of endpoints
 */
export async function reencryptSecrets(inTransaction: InTransaction, encryption: Encryption): Promise<number> {
  const again = (bytes: Buffer | null) => bytes && encryption.encrypt(encryption.decrypt(bytes));
  let secrets = 0;
  await inBatches(inTransaction, async ({ db }, after) => {
    const rows = await sql.queryRows(
      db,
      { position: sql.integer, secret: sql.bytes, previous_secret: sql.nullable(sql.bytes) },
      `select id as position, secret, previous_secret from webhook_endpoints
        where id > $1 order by id limit $2 for no key update`,
      [after, BATCH],
    );
    await db.query(
      `update webhook_endpoints e set secret = a.secret, previous_secret = a.previous
         from unnest($1::bigint[], $2::bytea[], $3::bytea[]) as a (id, secret, previous) where e.id = a.id`,
      [
        rows.map(({ position }) => position),
        rows.map(({ secret }) => again(secret)),
        rows.map(({ previous_secret }) => again(previous_secret)),
      ],
    );
    secrets += rows.length;
    return rows;
  });
  return secrets;
}

const endpointNotFound = (id: string): RequestError =>
  new RequestError('not_found', { message: `No webhook endpoint has the id ${id}.` });

async function lock(db: Transaction, id: string): Promise<sql.RowOf<typeof LOCKED_ENDPOINT>> {
  const found = await sql.queryRow(
    db,
    LOCKED_ENDPOINT,
    `select id as number, organization_id, status, secret,
            case when previous_secret_until > clock_timestamp() then previous_secret_until end as rotating_until
       from webhook_endpoints where public_id = $1 for no key update`,
    [id],
  );
  if (!found) throw endpointNotFound(id);
  return found;
}
