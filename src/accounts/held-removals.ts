import { RequestError } from '#domain/errors.ts';
import * as sql from '#postgres/rows.ts';
import type { Queryable, Transaction } from '#postgres/transaction.ts';
import { type AuditAction, type AuditedChange, recordAudit } from './audit.ts';
import type { Removal, RemovalKind } from './removals.ts';

const HELD = { organization_id: sql.integer, held: sql.nullable(sql.json<object>()) };

/** Statements that revoke keys, delete members or disable webhook endpoints by public id, and return the rows. */
const HOLD = {
  key: `update api_keys set revoked_at = now() where public_id = any ($1) and revoked_at is null
    returning public_id, organization_id, null::jsonb as held`,
  member: `delete from members m where public_id = any ($1) returning public_id, organization_id, to_jsonb(m) as held`,
  webhook: `update webhook_endpoints set status = 'disabled', disabled_reason = 'operator',
      disabled_at = coalesce(disabled_at, now())
    where public_id = any ($1) returning public_id, organization_id, null::jsonb as held`,
} as const satisfies Record<RemovalKind, string>;

/**
 * Turns off the keys, members and webhook endpoints of a restored database that were removed after the backup. Repeating this
 * changes nothing, and respects earlier decisions.
 * @returns how many were turned off
 */
export async function holdRemovals(db: Transaction, removals: readonly Removal[]): Promise<number> {
  const decided = await sql.queryRows(
    db,
    { id: sql.text, at: sql.timestamp },
    'select public_id as id, removed_at as at from held_removals where public_id = any ($1)',
    [removals.map(({ id }) => id)],
  );
  const isDecided = new Set(decided.map(({ id, at }) => `${id} ${at.toISOString()}`));
  const open = new Map(
    removals.filter(({ id, at }) => !isDecided.has(`${id} ${at}`)).map((removal) => [removal.id, removal]),
  );
  let held = 0;
  for (const [kind, statement] of Object.entries(HOLD)) {
    const ids = [...open.values()].filter((removal) => removal.kind === kind).map(({ id }) => id);
    for (const row of await sql.queryRows(db, { public_id: sql.text, ...HELD }, statement, [ids])) {
      await db.query(
        `insert into held_removals (kind, public_id, organization_id, removed_at, held) values ($1, $2, $3, $4, $5)`,
        [
          kind,
          row.public_id,
          row.organization_id,
          open.get(row.public_id)?.at,
          row.held === null ? null : JSON.stringify(row.held),
        ],
      );
      held++;
    }
  }
  return held;
}

/**
 * Returns the keys, members and webhook endpoints that stay off after a restore until an operator decides, oldest first.
 * `name` is the name of the key, the address of the member, or the URL of the endpoint.
 */
export function listHeldRemovals(db: Queryable) {
  return sql.queryRows(
    db,
    {
      kind: sql.textAs<RemovalKind>(),
      id: sql.text,
      organization: sql.text,
      name: sql.nullable(sql.text),
      removed_at: sql.timestamp,
    },
    `select h.kind, h.public_id as id, o.name as organization, coalesce(k.name, h.held ->> 'email', e.url) as name, h.removed_at
       from held_removals h join organizations o on o.id = h.organization_id
       left join api_keys k on h.kind = 'key' and k.public_id = h.public_id
       left join webhook_endpoints e on h.kind = 'webhook' and e.public_id = h.public_id
      where h.decided_at is null order by h.removed_at, h.id`,
  );
}

const ACTIONS = {
  key: 'key.revoked',
  member: 'member.removed',
  webhook: 'webhook.deleted',
} as const satisfies Record<RemovalKind, AuditAction>;

/**
 * Decides on a held removal. A removed webhook endpoint is deleted; a reinstated one stays disabled until it is enabled.
 * @throws RequestError not_found if no removal with this id waits for a decision
 */
export async function decideRemoval(
  change: AuditedChange,
  id: string,
  decision: 'removed' | 'reinstated',
): Promise<void> {
  const { db } = change;
  const found = await sql.queryRow(
    db,
    { kind: sql.textAs<RemovalKind>(), ...HELD },
    `update held_removals set decided_at = now(), decision = $2 where public_id = $1 and decided_at is null
     returning kind, organization_id, held`,
    [id, decision],
  );
  if (!found) throw new RequestError('not_found', { message: `No removal of "${id}" waits for a decision.` });
  const { kind, organization_id, held } = found;
  if (decision === 'removed') {
    if (kind === 'webhook') await db.query('delete from webhook_endpoints where public_id = $1', [id]);
    await recordAudit(change, organization_id, ACTIONS[kind], id, { restored: true });
    return;
  }
  if (kind === 'key') await db.query('update api_keys set revoked_at = null where public_id = $1', [id]);
  if (kind !== 'member') return;
  // The member receives a new internal number, because that column is generated.
  await db.query(
    `insert into members (public_id, organization_id, email, name, role, created_at)
     select public_id, organization_id, email, name, role, created_at from jsonb_populate_record(null::members, $1::jsonb)`,
    [JSON.stringify(held)],
  );
  await recordAudit(change, organization_id, 'member.added', id, { restored: true });
}
