import { scopeNotInKey, scopeNotInPlan } from '#accounts/scopes.ts';
import { ERRORS } from '#domain/errors.ts';
import {
  arrayOf,
  component,
  integer,
  type JsonSchema,
  nullable,
  object,
  oneOf,
  single,
  string,
  timestamp,
} from '#domain/json-schema.ts';
import type { Dataset } from '#exports/dataset.ts';
import { DATASET_NAMES, datasetOf } from '#exports/datasets/index.ts';
import { attemptPrefix, FORMATS } from '#exports/files.ts';
import { EXPORTS, type ExportRecord, FILE_DAYS, STATUSES } from '#exports/store.ts';
import { type Call, dataResponse, defineEndpoint } from '#http/endpoint.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { PRICES } from '#metering/prices.ts';
import { findRecord } from '#postgres/records.ts';
import * as sql from '#postgres/rows.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';
import { idParameter, newestFirst, presentRow } from '../records.ts';

/** The required scope depends on the dataset. */
export const EXPORT_OPERATION = { area: 'Exports', audience: 'data', scope: null, price: PRICES.exports } as const;

const DAY = 86_400_000;
/** In seconds. */
const LINK_SECONDS = 3_600;

const EXPORT_SUMMARY = component(
  'ExportSummary',
  object({
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
  }),
);

/** With a newly signed link for each file. */
export const EXPORT: JsonSchema = component(
  'Export',
  object({
    ...EXPORT_SUMMARY.properties,
    files: arrayOf(object({ name: string, url: string, bytes: integer, sha256: string, rows: nullable(integer) })),
  }),
);

function presentSummary(record: ExportRecord) {
  const { rows_written, rows_total, error_code: code, error_message: message } = record;
  return presentRow(EXPORT_SUMMARY, {
    ...record,
    progress: { rows_written, rows_total },
    error: code && { code, message: message ?? ERRORS[code].en.message },
    files_expire_at: fileExpiry(record),
  });
}

/** Links expire no later than the files are deleted. */
export async function presentExport(record: ExportRecord, services: Pick<Services, 'config' | 'signLink' | 'clock'>) {
  const now = services.clock.now();
  const expiry = fileExpiry(record);
  const seconds = expiry === null ? 0 : Math.min(LINK_SECONDS, Math.floor((expiry.getTime() - now) / 1_000));
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

/** Null if the export is not completed. */
const fileExpiry = ({ status, finished_at }: ExportRecord): Date | null =>
  status === 'completed' && finished_at ? new Date(finished_at.getTime() + FILE_DAYS * DAY) : null;

/** @throws ApiError `scope_not_in_plan`, `scope_not_in_key` */
export async function requireScope(
  db: Queryable,
  caller: Call['caller'],
  { scope }: Dataset,
  param: string | null = null,
): Promise<void> {
  if (scope === null || caller.scopes.includes(scope)) return;
  const has = await sql.hasRows(db, 'from plans where name = $1 and $2 = any (scopes)', [caller.plan, scope]);
  throw has ? scopeNotInKey(scope, caller.scopes, param) : scopeNotInPlan(scope, caller.plan, param);
}

export const listExportsEndpoint = defineEndpoint({
  path: '/v1/exports',
  operationId: 'listExports',
  ...EXPORT_OPERATION,
  summary: 'List exports',
  description:
    'Returns the exports of the organization, newest first, without links. Records are retained for 90 days.',
  ...newestFirst('exports', EXPORT_SUMMARY, () => EXPORTS, presentSummary),
});

const DESCRIPTION =
  'Returns the progress of an export and, once it is completed, a link for each of its files. Links expire after one hour; repeat the request for new links. Files are deleted 7 days after completion; `files` is empty from then on. `units` is the number of units charged.';

export const getExport = defineEndpoint({
  path: '/v1/exports/{export_id}',
  operationId: 'getExport',
  ...EXPORT_OPERATION,
  summary: 'Get an export',
  description: DESCRIPTION,
  pathParameters: [idParameter('export_id', 'Id of the export.', 'exp_0f3a')],
  response: single(EXPORT),
  errors: ['scope_not_in_plan', 'scope_not_in_key', 'export_not_found'],
  handle: async ({ path, caller, services }) => {
    const record = await findRecord(services.pool, EXPORTS, caller.organization_id, path.export_id);
    if (!record) throw new ApiError('export_not_found', { param: 'export_id' });
    await requireScope(services.pool, caller, datasetOf(record.dataset));
    return dataResponse(await presentExport(record, services));
  },
});
