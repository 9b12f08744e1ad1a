import { listExports } from '#exports/store.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { page } from '#http/pagination.ts';
import { postgresFailure } from '#postgres/failures.ts';
import { cursorParameter, listPage } from '../organization/paging.ts';
import { EXPORT_SUMMARY, presentSummary } from './export.ts';

export const listExportsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/exports',
  operationId: 'listExports',
  area: 'Exports',
  summary: 'Exports',
  description: 'The exports of the organization, newest first, without links. Records are kept for 90 days.',
  audience: 'data',
  scope: null,
  units: () => 0,
  paged: true,
  pathParameters: [],
  parameters: [cursorParameter],
  response: page(EXPORT_SUMMARY),
  errors: ['invalid_cursor'],
  handle: async (call) => ({
    body: await listPage(call, 'exports', {}, async (size, after) => {
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
