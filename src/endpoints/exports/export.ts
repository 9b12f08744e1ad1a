import { scopeNotInKey, scopeNotInPlan } from '#accounts/scopes.ts';
import { arrayOf, integer, type JsonSchema, nullable, object, oneOf, string, timestamp } from '#domain/json-schema.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import type { Dataset } from '#exports/dataset.ts';
import { DATASET_NAMES } from '#exports/datasets/index.ts';
import { attemptPrefix, FORMATS } from '#exports/files.ts';
import { type ExportRecord, FILE_DAYS, STATUSES } from '#exports/store.ts';
import type { Call } from '#http/endpoint.ts';
import { MESSAGES } from '#http/errors/messages.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';

const DAY = 86_400_000;
/** Lifetime of a download link in seconds. */
const LINK_SECONDS = 3_600;

const PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  id: string,
  status: oneOf(STATUSES),
  dataset: oneOf(DATASET_NAMES),
  format: oneOf(FORMATS),
  filters: { type: 'object', additionalProperties: true },
  progress: object({ rows_written: integer, rows_total: nullable(integer) }),
  units: integer,
  error: nullable(object({ code: string, message: string })),
  created_at: timestamp,
  started_at: nullable(timestamp),
  finished_at: nullable(timestamp),
  as_of: nullable(timestamp),
  files_expire_at: nullable(timestamp),
};

/** Schema of an export in a list. */
export const EXPORT_SUMMARY: JsonSchema = object(PROPERTIES);

/** Schema of a single export, with a newly signed link for each file. */
export const EXPORT: JsonSchema = object({
  ...PROPERTIES,
  files: arrayOf(object({ name: string, url: string, bytes: integer, sha256: string, rows: nullable(integer) })),
});

export function presentSummary(record: ExportRecord) {
  const expiry = fileExpiry(record);
  return {
    id: record.id,
    status: record.status,
    dataset: record.dataset,
    format: record.format,
    filters: record.filters,
    progress: { rows_written: record.rows_written, rows_total: record.rows_total },
    units: record.units,
    error: record.error_code && {
      code: record.error_code,
      message: record.error_message ?? MESSAGES[record.error_code],
    },
    created_at: isoSeconds(record.created_at),
    started_at: isoSeconds(record.started_at),
    finished_at: isoSeconds(record.finished_at),
    as_of: isoSeconds(record.as_of),
    files_expire_at: expiry === null ? null : isoSeconds(new Date(expiry)),
  };
}

/**
 * Returns an export with download links. The links expire no later than the files are deleted. An export without files,
 * or with deleted files, has no links.
 */
export async function presentExport(record: ExportRecord, services: Pick<Services, 'config' | 'signLink' | 'clock'>) {
  const now = services.clock.now();
  const expiry = fileExpiry(record);
  const seconds = expiry === null ? 0 : Math.min(LINK_SECONDS, Math.floor((expiry - now) / 1_000));
  const linked = seconds > 0 && record.files_deleted_at === null ? (record.files ?? []) : [];
  const prefix = attemptPrefix(record.id, record.attempt);
  const files = await Promise.all(
    linked.map(async ({ name, bytes, sha256, rows }) => ({
      name,
      url: await services.signLink(services.config.s3.exportsBucket, `${prefix}${name}`, seconds, now),
      bytes,
      sha256,
      rows,
    })),
  );
  return { ...presentSummary(record), files };
}

/**
 * Returns the time at which the files of an export are deleted, in epoch milliseconds; null if it is not completed.
 */
function fileExpiry({ status, finished_at }: ExportRecord): number | null {
  return status === 'completed' && finished_at ? finished_at.getTime() + FILE_DAYS * DAY : null;
}

/**
 * Checks that the caller has the scope that a dataset requires. The required scope depends on the dataset, not on the
 * endpoint.
 * @throws ApiError `scope_not_in_plan`, `scope_not_in_key`
 */
export async function requireScope(
  db: Queryable,
  caller: Call['caller'],
  { scope }: Dataset,
  param: string | null = null,
): Promise<void> {
  if (scope === null || caller.scopes.includes(scope)) return;
  const { rows } = await db.query<{ has: boolean }>('select $2 = any (scopes) as has from plans where name = $1', [
    caller.plan,
    scope,
  ]);
  throw rows[0]?.has ? scopeNotInKey(scope, caller.scopes, param) : scopeNotInPlan(scope, caller.plan, param);
}
