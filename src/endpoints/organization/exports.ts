import { single } from '#domain/json-schema.ts';
import { cancelExport } from '#exports/operate.ts';
import { EXPORTS } from '#exports/store.ts';
import { changeOf, dataResponse, defineEndpoint } from '#http/endpoint.ts';
import { findRecord, readRecord } from '#postgres/records.ts';
import { EXPORT, presentExport } from '../exports/read.ts';
import { idParameter } from '../records.ts';
import { ADMINISTRATION, NO_OPTIONS } from './common.ts';

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
