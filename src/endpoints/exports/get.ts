import { single, visible } from '#domain/json-schema.ts';
import { datasetOf } from '#exports/datasets/index.ts';
import { readExport } from '#exports/store.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { PRICES } from '#metering/prices.ts';
import { postgresFailure } from '#postgres/failures.ts';
import { EXPORT, presentExport, requireScope } from './export.ts';

export const getExport = defineEndpoint({
  path: '/v1/exports/{export_id}',
  operationId: 'getExport',
  area: 'Exports',
  summary: 'Get an export',
  description:
    'Returns the progress of an export and, once it is completed, a link for each of its files. Links expire after one hour; repeat the request for new links. Files are deleted 7 days after completion; `files` is empty from then on. `units` is the number of units charged.',
  audience: 'data',
  scope: null,
  price: PRICES.exports,
  pathParameters: [
    {
      name: 'export_id',
      schema: visible(60),
      description: 'Id of the export.',
      required: true,
      example: 'exp_0f3a',
    },
  ],
  response: single(EXPORT),
  errors: ['scope_not_in_plan', 'scope_not_in_key', 'export_not_found'],
  handle: async ({ path, caller, services }) => {
    const record = await readExport(services.pool, caller.organization_id, path.export_id).catch((error: unknown) => {
      throw postgresFailure(error);
    });
    if (!record) throw new ApiError('export_not_found', { param: 'export_id' });
    await requireScope(services.pool, caller, datasetOf(record.dataset));
    return { body: { data: await presentExport(record, services) } };
  },
});
