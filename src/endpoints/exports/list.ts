import { listExports } from '#exports/store.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import { postgresFailure } from '#postgres/failures.ts';
import { EXPORT_SUMMARY, presentSummary } from './export.ts';

export const listExportsEndpoint = defineEndpoint({
  path: '/v1/exports',
  operationId: 'listExports',
  area: 'Exports',
  summary: 'List exports',
  description:
    'Returns the exports of the organization, newest first, without links. Records are retained for 90 days.',
  audience: 'data',
  scope: null,
  price: PRICES.exports,
  parameters: [cursorParameter],
  response: pageSchema(EXPORT_SUMMARY),
  handle: async (call) => ({
    body: await pageOfRows(call, { name: 'exports', filters: {} }, async (size, after) => {
      const records = await listExports(
        call.services.pool,
        call.caller.organization_id,
        size,
        after?.[0] ?? null,
      ).catch((error: unknown) => {
        throw postgresFailure(error);
      });
      return records.map((record) => ({ row: presentSummary(record), position: [record.number, 0] }));
    }),
  }),
});
