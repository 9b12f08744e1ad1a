import { recordAudit } from '#accounts/audit.ts';
import { newId } from '#accounts/ids.ts';
import { component, discriminated, type JsonSchema, single } from '#domain/json-schema.ts';
import { cancelExport } from '#exports/charge.ts';
import type { Dataset } from '#exports/dataset.ts';
import { DATASET_NAMES, DATASETS, datasetOf } from '#exports/datasets/index.ts';
import { FORMATS, ROWS_PER_PART } from '#exports/files.ts';
import { MAX_ROWS } from '#exports/run.ts';
import { countExports, EXPORTS, insertExport } from '#exports/store.ts';
import { changeOf, createdResponse, dataResponse, defineEndpoint } from '#http/endpoint.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { EXPORT_PRICE } from '#metering/prices.ts';
import { findRecord, readRecord } from '#postgres/records.ts';
import { checkFilters, FILTER_ERRORS } from '../filters/check.ts';
import { filtersDocument, pascalCase } from '../filters/document.ts';
import { ADMINISTRATION, NO_OPTIONS } from '../organization/common.ts';
import { idParameter } from '../records.ts';
import { EXPORT, EXPORT_OPERATION, presentExport, requireScope } from './read.ts';

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
        'Rows of `ndjson` equal the items that the matching endpoint returns in `data`; `csv` has a column per field, with dots in the names of nested fields.',
    },
    filters: {
      type: 'object',
      default: {},
      description: `By dataset. ${DATASETS.map(({ name, description }) => `\`${name}\`: ${description}.`).join(' ')}`,
    },
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
    },
  });

const needsFilters = ({ required, ranges }: Dataset['filters']): boolean => required.length > 0 || ranges !== undefined;

const DESCRIPTION = `Exports a complete dataset to gzipped files of at most ${number(ROWS_PER_PART)} rows, up to ${number(MAX_ROWS)} rows in total. Exports start within about a minute; poll the export by its id until \`status\` is \`completed\`. Listing datasets need the Enterprise plan and cost ${EXPORT_PRICE.units} units per ${number(EXPORT_PRICE.perRows)} rows, rounded up: rows are counted before writing, and units count against the monthly quota, not the rate limit. Open-data datasets are free and available to any data key. Failed exports are free. At most ${MAX_CONCURRENT} exports of an organization run at the same time, and ${MAX_PER_DAY} can be created per day.`;

export const createExport = defineEndpoint({
  method: 'POST',
  path: '/v1/exports',
  operationId: 'createExport',
  ...EXPORT_OPERATION,
  summary: 'Create an export',
  description: DESCRIPTION,
  rowPrice: { units: EXPORT_PRICE.units, per: EXPORT_PRICE.perRows },
  bodySchema: BODY,
  bodyDocument: component(
    'CreateExportRequest',
    discriminated('dataset', Object.fromEntries(DATASETS.map((dataset) => [dataset.name, bodyOf(dataset)]))),
  ),
  successStatus: 201,
  response: single(EXPORT),
  errors: ['scope_not_in_plan', 'scope_not_in_key', ...FILTER_ERRORS, 'period_not_found', 'export_limit'],
  handle: async (call) => {
    const { body, caller, services, db } = call;
    const dataset = datasetOf(body.dataset);
    await requireScope(db, caller, dataset, 'dataset');
    const now = services.clock.now();
    const context = { places: services.places, now, historyStart: services.config.historyStart };
    const filters = checkFilters(dataset, body.filters ?? {}, context);
    await dataset.requirePeriods?.(filters, db);
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
