import { ApiError } from '#domain/errors.ts';
import { single } from '#domain/json-schema.ts';
import { datasetOf } from '#exports/datasets/index.ts';
import { listExports, readExport } from '#exports/store.ts';
import { dataResponse, defineEndpoint } from '#http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#http/pagination.ts';
import { idParameter, positioned } from '../records.ts';
import { EXPORT, EXPORT_SUMMARY, EXPORTS, presentExport, presentSummary, requireScope } from './export.ts';

export const listExportsEndpoint = defineEndpoint({
  path: '/v1/exports',
  operationId: 'listExports',
  ...EXPORTS,
  summary: 'List exports',
  description:
    'Returns the exports of the organization, newest first, without links. Records are retained for 90 days.',
  parameters: [cursorParameter],
  response: pageSchema(EXPORT_SUMMARY),
  handle: async (call) => ({
    body: await pageOfRows(call, { name: 'exports', filters: {} }, async (size, after) => {
      const { services, caller } = call;
      const records = await listExports(services.pool, caller.organization_id, size, after?.[0] ?? null);
      return records.map((record) => positioned(presentSummary(record), record.number));
    }),
  }),
});

export const getExport = defineEndpoint({
  path: '/v1/exports/{export_id}',
  operationId: 'getExport',
  ...EXPORTS,
  summary: 'Get an export',
  description:
    'Returns the progress of an export and, once it is completed, a link for each of its files. Links expire after one hour; repeat the request for new links. Files are deleted 7 days after completion; `files` is empty from then on. `units` is the number of units charged.',
  pathParameters: [idParameter('export_id', 'Id of the export.', 'exp_0f3a')],
  response: single(EXPORT),
  errors: ['scope_not_in_plan', 'scope_not_in_key', 'export_not_found'],
  handle: async ({ path, caller, services }) => {
    const record = await readExport(services.pool, caller.organization_id, path.export_id);
    if (!record) throw new ApiError('export_not_found', { param: 'export_id' });
    await requireScope(services.pool, caller, datasetOf(record.dataset));
    return dataResponse(await presentExport(record, services));
  },
});
