import type pg from 'pg';
import { type ErrorCode, RequestError } from '#domain/errors.ts';
import { type AuditedChange, recordAudit } from '#src/accounts/audit.ts';
import type { Scope } from '#src/accounts/scopes.ts';
import { CHARGED_UNITS, chargeInBackground, refund } from '#src/metering/charge-statement.ts';
import * as sql from '#stores/postgres/rows.ts';
import { inTransaction, type Transaction } from '#stores/postgres/transaction.ts';
import { type Claim, STATUSES } from './store.ts';

/** Thrown if the export was claimed by another worker or canceled. */
export class ClaimLostError extends Error {}

export interface ExportCharge {
  scope: Scope | null;
  units: number;
  rows: number;
  /** Time of the charge, set by tests. Null uses the database clock. */
  now: Date | null;
}

export type ChargeResult = { refused: ErrorCode } | { refused: null; sourceLinks: boolean };

/**
 * Refunds the charge of an earlier attempt in the same transaction, so that an export has at most one charge.
 * @throws ClaimLostError
 */
export function chargeExport(
  pool: pg.Pool,
  claim: Claim,
  { scope, units, rows, now }: ExportCharge,
): Promise<ChargeResult> {
  return inTransaction(pool, async (db) => {
    await refundCharge(db, claim);
    const key = await sql.queryRow(
      db,
      { hash: sql.nullable(sql.bytes) },
      'select k.hash from exports e left join api_keys k on k.id = e.key_id where e.id = $1',
      [claim.number],
    );
    const charged = await chargeInBackground(db, { keyHash: key?.hash ?? null, scope, units, now });
    if (charged.outcome) return { refused: charged.outcome as ErrorCode };
    await db.query('update exports set units = $2, charge = $3, rows_total = $4 where id = $1', [
      claim.number,
      charged.units,
      JSON.stringify(charged, Object.keys(CHARGED_UNITS)),
      rows,
    ]);
    return { refused: null, sourceLinks: charged.source_links };
  });
}

/** Refunds the charge. Does nothing if the claim is lost. */
export async function failExport(pool: pg.Pool, claim: Claim, code: ErrorCode, message: string | null): Promise<void> {
  await inTransaction(pool, async (db) => {
    await refundCharge(db, claim);
    await db.query(
      `update exports set status = 'failed', finished_at = clock_timestamp(), error_code = $2, error_message = $3 where id = $1`,
      [claim.number, code, message],
    );
  }).catch((error: unknown) => {
    if (!(error instanceof ClaimLostError)) throw error;
  });
}

/**
 * Locks the export until the transaction ends.
 * @throws ClaimLostError
 */
async function refundCharge(db: Transaction, { number, attempt }: Claim): Promise<void> {
  const locked = await lockExport(db, "id = $1 and attempt = $2 and status = 'running'", [number, attempt]);
  if (!locked) throw new ClaimLostError(`export ${number}: attempt ${attempt} has lost its claim`);
  await refundExport(db, locked);
}

async function refundExport(db: Transaction, { number, charge }: LockedExport): Promise<void> {
  if (!charge) return;
  await refund(db, charge);
  await db.query('update exports set units = 0, charge = null where id = $1', [number]);
}

const LOCKED_EXPORT = {
  number: sql.integer,
  organization_id: sql.integer,
  status: sql.oneOf(STATUSES),
  charge: sql.nullable(sql.object(CHARGED_UNITS)),
};
declare const isLocked: unique symbol;
/** An export whose row no other transaction changes. Only `lockExport` returns one. */
type LockedExport = sql.RowOf<typeof LOCKED_EXPORT> & { readonly [isLocked]: true };

const lockExport = (db: Transaction, condition: string, values: unknown[]): Promise<LockedExport | null> =>
  sql.queryRow(
    db,
    LOCKED_EXPORT,
    `select id as number, organization_id, status, charge from exports where ${condition} for update`,
    values,
  ) as Promise<LockedExport | null>;

/**
 * Refunds the export. Its worker stops when it next renews the lease.
 * @param organizationId null for an operator
 * @throws RequestError export_not_found; conflict if the export has ended
 */
export async function cancelExport(
  change: AuditedChange,
  id: string,
  organizationId: number | null = null,
): Promise<void> {
  const { db } = change;
  const found = await lockByPublicId(db, id, organizationId);
  if (found.status !== 'queued' && found.status !== 'running')
    throw new RequestError('conflict', { message: `This export is ${found.status}.` });
  await refundExport(db, found);
  await db.query(`update exports set status = 'canceled', finished_at = clock_timestamp() where id = $1`, [
    found.number,
  ]);
  await recordAudit(change, found.organization_id, 'export.canceled', id);
}

export async function retryExport(change: AuditedChange, id: string): Promise<void> {
  const { db } = change;
  const found = await lockByPublicId(db, id);
  if (found.status !== 'failed' && found.status !== 'canceled')
    throw new RequestError('conflict', { message: `This export is ${found.status}.` });
  await db.query(
    `update exports set status = 'queued', failures = 0, due_at = clock_timestamp(), started_at = null, finished_at = null,
            rows_total = null, rows_written = 0, error_code = null, error_message = null where id = $1`,
    [found.number],
  );
  await recordAudit(change, found.organization_id, 'export.retried', id);
}

async function lockByPublicId(
  db: Transaction,
  id: string,
  organizationId: number | null = null,
): Promise<LockedExport> {
  const condition = 'public_id = $1 and ($2::bigint is null or organization_id = $2)';
  const found = await lockExport(db, condition, [id, organizationId]);
  if (!found) throw new RequestError('export_not_found', { message: `No export has the id ${id}.` });
  return found;
}
