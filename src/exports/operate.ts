import { type AuditedChange, recordAudit } from '#accounts/audit.ts';
import { RequestError } from '#domain/errors.ts';
import { TAKEN_UNITS } from '#metering/charge.ts';
import * as sql from '#postgres/rows.ts';
import type { Transaction } from '#postgres/transaction.ts';
import { refundExport } from './charge.ts';
import { STATUSES } from './store.ts';

const LOCKED_EXPORT = {
  number: sql.integer,
  organization_id: sql.integer,
  status: sql.oneOf(STATUSES),
  charge: sql.nullable(sql.object(TAKEN_UNITS)),
};

/**
 * Cancels a queued or running export and refunds it. Its worker stops when it next renews the lease.
 * @param organizationId the only organization whose export can be canceled; null for an operator
 * @throws RequestError export_not_found; conflict if the export has ended
 */
export async function cancelExport(
  change: AuditedChange,
  id: string,
  organizationId: number | null = null,
): Promise<void> {
  const { db } = change;
  const found = await lock(db, id, organizationId);
  if (found.status !== 'queued' && found.status !== 'running')
    throw new RequestError('conflict', { message: `This export is ${found.status}.` });
  await refundExport(db, found.number, found.charge);
  await db.query(`update exports set status = 'canceled', finished_at = clock_timestamp() where id = $1`, [
    found.number,
  ]);
  await recordAudit(change, found.organization_id, 'export.canceled', id);
}

export async function retryExport(change: AuditedChange, id: string): Promise<void> {
  const { db } = change;
  const found = await lock(db, id);
  if (found.status !== 'failed' && found.status !== 'canceled')
    throw new RequestError('conflict', { message: `This export is ${found.status}.` });
  await db.query(
    `update exports set status = 'queued', failures = 0, due_at = clock_timestamp(), started_at = null, finished_at = null,
            rows_total = null, rows_written = 0, error_code = null, error_message = null where id = $1`,
    [found.number],
  );
  await recordAudit(change, found.organization_id, 'export.retried', id);
}

async function lock(
  db: Transaction,
  id: string,
  organizationId: number | null = null,
): Promise<sql.RowOf<typeof LOCKED_EXPORT>> {
  const found = await sql.queryRow(
    db,
    LOCKED_EXPORT,
    `select id as number, organization_id, status, charge from exports
      where public_id = $1 and ($2::bigint is null or organization_id = $2) for update`,
    [id, organizationId],
  );
  if (!found) throw new RequestError('export_not_found', { message: `No export has the id ${id}.` });
  return found;
}
