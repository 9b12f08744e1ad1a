import type { ErrorCode } from '#domain/errors.ts';
import { component } from '#domain/json-schema.ts';
import type { Records } from '#stores/postgres/records.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { type ExportFile, FORMATS, type Format } from './files.ts';

export const STATUSES = component('ExportStatus', ['queued', 'running', 'completed', 'failed', 'canceled'] as const);

/** Days after which files are deleted, from completion, and records, from creation. */
export const FILE_DAYS = 7;
export const RECORD_DAYS = 90;

const EXPORT = {
  number: sql.integer,
  id: sql.text,
  organization_id: sql.integer,
  dataset: sql.text,
  format: sql.oneOf(FORMATS),
  filters: sql.json<Readonly<Record<string, unknown>>>(),
  status: sql.oneOf(STATUSES),
  created_at: sql.timestamp,
  started_at: sql.nullable(sql.timestamp),
  finished_at: sql.nullable(sql.timestamp),
  as_of: sql.nullable(sql.timestamp),
  attempt: sql.integer,
  failures: sql.integer,
  rows_total: sql.nullable(sql.integer),
  rows_written: sql.integer,
  units: sql.integer,
  files: sql.nullable(sql.json<readonly ExportFile[]>()),
  error_code: sql.nullable(sql.textAs<ErrorCode>()),
  error_message: sql.nullable(sql.text),
  max_units: sql.nullable(sql.integer),
  files_deleted_at: sql.nullable(sql.timestamp),
};
export type ExportRecord = sql.RowOf<typeof EXPORT>;

const COLUMNS = `id as number, public_id as id, organization_id, dataset, format, filters, status, created_at, started_at,
  finished_at, as_of, attempt, failures, rows_total, rows_written, units, files, error_code, error_message, max_units, files_deleted_at`;

export interface NewExport {
  id: string;
  organizationId: number;
  keyId: number;
  dataset: string;
  format: Format;
  filters: Readonly<Record<string, unknown>>;
  maxUnits?: number;
  now: Date;
}

export function insertExport(db: Queryable, wanted: NewExport): Promise<ExportRecord> {
  return sql.queryOne(
    db,
    EXPORT,
    `insert into exports (public_id, organization_id, key_id, dataset, format, filters, max_units, created_at, due_at)
     values ($1, $2, $3, $4, $5, $6, $8, $7, clock_timestamp()) returning ${COLUMNS}`,
    [
      wanted.id,
      wanted.organizationId,
      wanted.keyId,
      wanted.dataset,
      wanted.format,
      JSON.stringify(wanted.filters),
      wanted.now,
      wanted.maxUnits ?? null,
    ],
  );
}

/** Counts queued and running exports, and those created today (UTC). */
export async function countExports(
  db: Queryable,
  organizationId: number,
  now: Date,
): Promise<{ running: number; today: number }> {
  return sql.queryOne(
    db,
    { running: sql.integer, today: sql.integer },
    `select count(*) filter (where status in ('queued', 'running')) as running,
            count(*) filter (where created_at >= date_trunc('day', $2::timestamptz at time zone 'UTC') at time zone 'UTC') as today
       from exports where organization_id = $1`,
    [organizationId, now],
  );
}

export const EXPORTS: Records<typeof EXPORT> = {
  columns: EXPORT,
  select: COLUMNS,
  from: 'exports',
  table: 'exports',
};

/** A worker's claim. Updates with an outdated `attempt` have no effect. */
export interface Claim {
  number: number;
  attempt: number;
}

/** Claims the export that became due first: queued, or running with an expired lease. */
export function claimExport(db: Queryable, leaseMs: number): Promise<ExportRecord | null> {
  return sql.queryRow(
    db,
    EXPORT,
    `update exports set
       failures = failures + (status = 'running')::int, status = 'running', attempt = attempt + 1,
       started_at = coalesce(started_at, clock_timestamp()), due_at = clock_timestamp() + $1 * interval '1 ms',
       rows_written = 0
     where id = (select id from exports where status in ('queued', 'running') and due_at <= clock_timestamp()
                  order by due_at, id limit 1 for update skip locked)
     returning ${COLUMNS}`,
    [leaseMs],
  );
}

/** @returns false if another worker has claimed the export or it was canceled */
export async function renewExport(db: Queryable, claim: Claim, leaseMs: number, rowsWritten: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update exports set due_at = clock_timestamp() + $3 * interval '1 ms', rows_written = $4
      where id = $1 and attempt = $2 and status = 'running'`,
    [claim.number, claim.attempt, leaseMs, rowsWritten],
  );
  return rowCount === 1;
}

/** @param failed whether the attempt counts as failed */
export async function releaseExport(db: Queryable, claim: Claim, afterMs: number, failed: boolean): Promise<void> {
  await db.query(
    `update exports set status = 'queued', due_at = clock_timestamp() + $3 * interval '1 ms', failures = failures + $4::int
      where id = $1 and attempt = $2 and status = 'running'`,
    [claim.number, claim.attempt, afterMs, failed ? 1 : 0],
  );
}

export interface Completion {
  files: readonly ExportFile[];
  rows: number;
  asOf: Date;
}

/** @returns false if the claim is lost */
export async function completeExport(db: Queryable, claim: Claim, done: Completion): Promise<boolean> {
  const { rowCount } = await db.query(
    `with completed as (
       update exports set status = 'completed', finished_at = clock_timestamp(), files = $3, rows_written = $4, as_of = $5
        where id = $1 and attempt = $2 and status = 'running'
        returning id, organization_id, key_id, units, (finished_at at time zone 'UTC')::date as day
     ), counted as (
       insert into usage_days as u (organization_id, day, key_id, endpoint, result, requests, units)
       select organization_id, day, key_id, $6, '2xx', 0, units from completed where units > 0 and key_id is not null
       on conflict (organization_id, day, key_id, endpoint, result) do update set units = u.units + excluded.units
     )
     select from completed`,
    [claim.number, claim.attempt, JSON.stringify(done.files), done.rows, done.asOf, USAGE_ENDPOINT],
  );
  return rowCount === 1;
}

/** Usage reports show the units of exports under it. */
const USAGE_ENDPOINT = 'createExport';
