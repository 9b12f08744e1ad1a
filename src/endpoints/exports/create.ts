import { recordAudit } from '#accounts/audit.ts';
import { newId } from '#accounts/ids.ts';
import { ApiError } from '#domain/errors.ts';
import { component, discriminated, type JsonSchema, single } from '#domain/json-schema.ts';
import type { Dataset } from '#exports/dataset.ts';
import { DATASET_NAMES, DATASETS, datasetOf } from '#exports/datasets/index.ts';
import { FORMATS, ROWS_PER_PART } from '#exports/files.ts';
import { MAX_ROWS } from '#exports/run.ts';
import { countExports, insertExport } from '#exports/store.ts';
import { actorOf, defineEndpoint } from '#http/endpoint.ts';
import { EXPORT_PRICE, PRICES } from '#metering/prices.ts';
import { checkFilters, FILTER_ERRORS } from '../filters/check.ts';
import { filtersDocument, pascalCase } from '../filters/document.ts';
import { EXPORT, presentExport, requireScope } from './export.ts';

/** Exports of an organization under way, and made in a UTC day. */
const AT_ONCE = 2;
const A_DAY = 20;

const number = (value: number): string => value.toLocaleString('en');

/** The body by its dataset. Its filters are checked after its other properties, by `checkFilters`. */
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
        'A row of `ndjson` is exactly what the matching endpoint returns in `data`; `csv` has a column for each of its fields, with dots where it lies deeper.',
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

export const createExport = defineEndpoint({
  method: 'POST',
  path: '/v1/exports',
  operationId: 'createExport',
  area: 'Exports',
  summary: 'Create an export',
  description: `Has a whole dataset written to files of at most ${number(ROWS_PER_PART)} rows, gzipped, ${number(MAX_ROWS)} rows in all. It starts within about a minute; ask for it by its id until its \`status\` is \`completed\`. Listing datasets need the Enterprise plan and cost ${EXPORT_PRICE.units} units per ${number(EXPORT_PRICE.perRows)} rows, begun or full, once: rows are counted before writing, and units are taken from the month and not from the minute. Open-data datasets are free and for any data key. A failed export costs nothing. At most ${AT_ONCE} exports of an organization are under way at a time, and ${A_DAY} are created a day.`,
  audience: 'data',
  scope: null,
  price: PRICES.exports,
  pathParameters: [],
  parameters: [],
  bodySchema: BODY,
  bodyDocument: discriminated(
    'dataset',
    Object.fromEntries(DATASETS.map((dataset) => [dataset.name, bodyOf(dataset)])),
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
    await dataset.requirePeriods?.(filters, { db, rules: services.officialRules });
    const time = new Date(now);
    const { running, today } = await countExports(db, caller.organization_id, time);
    if (running >= AT_ONCE) throw limitReached(AT_ONCE, 'concurrent', 'are under way already');
    if (today >= A_DAY) throw limitReached(A_DAY, 'day', 'were created today (UTC)');
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
    await recordAudit(db, services.random, caller.organization_id, actorOf(call), {
      action: 'export.created',
      target: id,
      details: { dataset: dataset.name, format: body.format },
    });
    return { status: 201, body: { data: await presentExport(record, services) } };
  },
});

const limitReached = (limit: number, per: 'concurrent' | 'day', what: string): ApiError =>
  new ApiError('export_limit', { message: `${limit} exports ${what}; that is the limit.`, details: { limit, per } });
