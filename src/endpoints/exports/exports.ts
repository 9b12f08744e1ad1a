import { ERRORS } from '#domain/errors.ts';
import {
  arrayOf,
  component,
  discriminated,
  integer,
  type JsonSchema,
  nullable,
  object,
  oneOf,
  single,
  string,
  timestamp,
} from '#domain/json-schema.ts';
import { recordAudit } from '#src/accounts/audit.ts';
import { newId } from '#src/accounts/ids.ts';
import { requirePermission } from '#src/accounts/roles.ts';
import { scopeNotInKey, scopeNotInPlan } from '#src/accounts/scopes.ts';
import { cancelExport } from '#src/exports/charge-export.ts';
import type { Dataset, Filters } from '#src/exports/dataset.ts';
import { DATASET_NAMES, DATASETS, datasetOf } from '#src/exports/datasets/datasets.ts';
import { attemptPrefix, FORMATS, ROWS_PER_PART } from '#src/exports/files.ts';
import { countRows, ExportFailure, MAX_ROWS, unitsOfRows } from '#src/exports/run.ts';
import { countExports, EXPORTS, type ExportRecord, FILE_DAYS, insertExport, STATUSES } from '#src/exports/store.ts';
import { COST_PROPERTIES } from '#src/http/cost-parameters.ts';
import {
  type Call,
  changeOf,
  createdResponse,
  dataResponse,
  defineEndpoint,
  type PostCall,
} from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { runInTurn } from '#src/http/in-turn.ts';
import { EXPORT_PRICE, PRICES } from '#src/metering/prices.ts';
import type { Services } from '#src/services.ts';
import { findRecord, readRecord } from '#stores/postgres/records.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { checkFilters, FILTER_ERRORS, filtersDocument, pascalCase } from '../filters.ts';
import { ADMINISTRATION, NO_OPTIONS } from '../organization/common.ts';
import { idParameter, newestFirst, presentRow } from '../records.ts';

/** The required scope depends on the dataset. */
const EXPORT_OPERATION = { area: 'Exports', audience: 'data', scope: null, price: PRICES.exports } as const;

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
const EXPORT: JsonSchema = component(
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
async function presentExport(record: ExportRecord, services: Pick<Services, 'config' | 'signLink' | 'clock'>) {
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
async function requireScope(
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

/** For admin keys, which read no data. */
export const listOrganizationExports = defineEndpoint({
  path: '/v1/organization/exports',
  operationId: 'listOrganizationExports',
  ...ADMINISTRATION,
  summary: 'List exports of the organization',
  description: 'Returns the exports that data keys of the organization have created, newest first, without links.',
  ...newestFirst('organization-exports', EXPORT_SUMMARY, () => EXPORTS, presentSummary),
});

export const getExport = defineEndpoint({
  path: '/v1/exports/{export_id}',
  operationId: 'getExport',
  ...EXPORT_OPERATION,
  summary: 'Get an export',
  description:
    'Returns the progress of an export and, once it is completed, a link for each of its files. Links expire after one hour; repeat the request for new links. Files are deleted 7 days after completion; `files` is empty from then on. `units` is the number of units charged.',
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

/** The files are data, which admin keys do not read: for members who may create a data key, and keys without a member. */
export const getOrganizationExport = defineEndpoint({
  path: '/v1/organization/exports/{export_id}',
  operationId: 'getOrganizationExport',
  ...ADMINISTRATION,
  summary: 'Get an export of the organization',
  description:
    'Returns an export that a data key of the organization has created, with a link for each of its files. Links expire after one hour; repeat the request for new links. The admin key of a member requires the role `owner`, `admin` or `developer`.',
  pathParameters: [idParameter('export_id', 'Id of the export.', 'exp_0f3a')],
  response: single(EXPORT),
  errors: ['forbidden_action', 'export_not_found'],
  handle: async ({ path, caller, services }) => {
    await requirePermission(services.pool, caller.key_id, 'develop');
    const record = await findRecord(services.pool, EXPORTS, caller.organization_id, path.export_id);
    if (!record) throw new ApiError('export_not_found', { param: 'export_id' });
    return dataResponse(await presentExport(record, services));
  },
});

/** Per organization: queued and running exports, and exports created per UTC day. */
const MAX_CONCURRENT = 2;
const MAX_PER_DAY = 20;

const number = (value: number): string => value.toLocaleString('en');

/** The accepted filters depend on the dataset: `checkFilters` validates them. */
const BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['dataset', 'format'],
  properties: {
    dataset: { type: 'string', enum: DATASET_NAMES },
    format: {
      type: 'string',
      enum: FORMATS,
      description:
        'Rows of `ndjson` equal the items that the matching endpoint returns in `data`; `csv` has a column per field, with dots in the names of nested fields. `parquet` has the columns of `csv` with types, and the points of listings as GeoParquet.',
    },
    filters: {
      type: 'object',
      default: {},
      description: `By dataset. ${DATASETS.map(({ name, description }) => `\`${name}\`: ${description}.`).join(' ')}`,
    },
    ...COST_PROPERTIES,
  },
} as const;

const bodyOf = ({ name, description, filters }: Dataset): JsonSchema =>
  component(`${pascalCase(name)}Export`, {
    ...BODY,
    description: `\`${name}\`: ${description}.`,
    required: [...BODY.required, ...(needsFilters(filters) ? ['filters'] : [])],
    properties: {
      dataset: { type: 'string', enum: [name] },
      format: BODY.properties.format,
      filters: filtersDocument(`${pascalCase(name)}Filters`, filters),
      ...COST_PROPERTIES,
    },
  });

const needsFilters = ({ required, ranges }: Dataset['filters']): boolean => required.length > 0 || ranges !== undefined;

/** @throws RequestError for invalid filters */
async function readWanted(
  { body, services }: { body: ExportRequest; services: PostCall['services'] },
  db: Queryable,
): Promise<{ dataset: Dataset; filters: Filters }> {
  const dataset = datasetOf(body.dataset);
  const { places, clock, config } = services;
  const context = { places, now: clock.now(), historyStart: config.historyStart };
  const filters = checkFilters(dataset, body.filters ?? {}, context);
  await dataset.requirePeriods?.(filters, db);
  return { dataset, filters };
}

interface ExportRequest {
  readonly dataset: string;
  readonly filters?: Filters;
}

export const createExport = defineEndpoint({
  method: 'POST',
  path: '/v1/exports',
  operationId: 'createExport',
  ...EXPORT_OPERATION,
  summary: 'Create an export',
  description: `Exports a complete dataset to compressed files of at most ${number(ROWS_PER_PART)} rows, up to ${number(MAX_ROWS)} rows in total. Exports start within about a minute; poll the export by its id until \`status\` is \`completed\`. Listing datasets need the Enterprise plan, and \`market_medians\` the Growth plan. They cost ${EXPORT_PRICE.units} units per ${number(EXPORT_PRICE.perRows)} rows, rounded up: rows are counted before writing, and units count against the monthly quota, not the rate limit. Open-data datasets are free and available to any data key. Failed exports are free. \`max_units\` also applies when the export runs. A dry run counts the rows, which costs ${PRICES.count.units} unit, or 0 for open data. At most ${MAX_CONCURRENT} exports of an organization run at the same time, and ${MAX_PER_DAY} can be created per day.`,
  rowPrice: { units: EXPORT_PRICE.units, per: EXPORT_PRICE.perRows },
  bodySchema: BODY,
  bodyDocument: component(
    'CreateExportRequest',
    discriminated('dataset', Object.fromEntries(DATASETS.map((dataset) => [dataset.name, bodyOf(dataset)]))),
  ),
  successStatus: 201,
  response: single(EXPORT),
  errors: [
    'scope_not_in_plan',
    'scope_not_in_key',
    ...FILTER_ERRORS,
    'period_not_found',
    'export_limit',
    'limit_reached',
  ],
  quote: async (call) => {
    const { services } = call;
    const { dataset, filters } = await readWanted(call, services.pool);
    if (dataset.free) return { maxUnits: 0 };
    const signal = AbortSignal.timeout(Math.max(1, Math.round(call.deadline - performance.now())));
    const count = () => countRows(dataset, { filters, asOf: call.now, services, signal });
    const rows = await runInTurn(services, { queue: 'searches' }, call, count).catch((error: unknown) => {
      if (!(error instanceof ExportFailure)) throw error;
      throw new ApiError(error.code, { param: 'filters', message: error.explanation ?? undefined });
    });
    return { maxUnits: unitsOfRows(dataset, rows), rows, units: PRICES.count.units };
  },
  authorize: ({ body, caller, db }) => requireScope(db, caller, datasetOf(body.dataset), 'dataset'),
  handle: async (call) => {
    const { body, caller, services, db } = call;
    const now = services.clock.now();
    const { dataset, filters } = await readWanted(call, db);
    const time = new Date(now);
    const { running, today } = await countExports(db, caller.organization_id, time);
    if (running >= MAX_CONCURRENT)
      throw limitReached(MAX_CONCURRENT, 'concurrent', 'running exports is reached. Wait until one completes.');
    if (today >= MAX_PER_DAY) throw limitReached(MAX_PER_DAY, 'day', 'exports per UTC day is reached. Retry tomorrow.');
    const id = newId('exp', services.random);
    const record = await insertExport(db, {
      id,
      organizationId: caller.organization_id,
      keyId: caller.key_id,
      dataset: dataset.name,
      format: body.format,
      filters,
      ...(body.max_units !== undefined && { maxUnits: body.max_units }),
      now: time,
    });
    await recordAudit(changeOf(call), caller.organization_id, 'export.created', id, {
      dataset: dataset.name,
      format: body.format,
    });
    return createdResponse(await presentExport(record, services));
  },
});

const limitReached = (limit: number, per: 'concurrent' | 'day', what: string): ApiError =>
  new ApiError('export_limit', { message: `The limit of ${limit} ${what}`, details: { limit, per } });

export const cancelExportEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/exports/{export_id}/cancel',
  operationId: 'cancelExport',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Cancel an export',
  description:
    'Cancels a queued or running export: its status becomes `canceled`, and its units are refunded. Canceling a canceled export has no effect; an export that has ended otherwise returns 409 `conflict`.',
  pathParameters: [idParameter('export_id', 'Id of the export.', 'exp_0f3a')],
  bodySchema: NO_OPTIONS,
  response: single(EXPORT),
  errors: ['export_not_found', 'conflict'],
  handle: async (call) => {
    const { db, services, caller, path } = call;
    const before = await findRecord(db, EXPORTS, caller.organization_id, path.export_id);
    if (before?.status !== 'canceled') await cancelExport(changeOf(call), path.export_id, caller.organization_id);
    const record = await readRecord(db, EXPORTS, caller.organization_id, path.export_id);
    return dataResponse(await presentExport(record, services));
  },
});
