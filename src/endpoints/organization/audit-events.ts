import { AUDIT_ACTIONS } from '#accounts/audit.ts';
import { nullable, object, oneOf, string, timestamp } from '#domain/json-schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#http/pagination.ts';
import { positioned, presentRow } from '../records.ts';
import { ADMINISTRATION } from './common.ts';

const AUDIT_EVENT = object({
  id: string,
  at: timestamp,
  actor: object({ type: oneOf(['key', 'operator', 'system']), id: nullable(string) }),
  action: oneOf(AUDIT_ACTIONS),
  target_id: nullable(string),
  details: { type: 'object', additionalProperties: true },
  request_id: nullable(string),
});

export const listAuditEventsEndpoint = defineEndpoint({
  path: '/v1/organization/audit-events',
  operationId: 'listAuditEvents',
  ...ADMINISTRATION,
  summary: 'List audit events',
  description: 'Returns the changes made in the organization and who made them, latest first.',
  parameters: [cursorParameter],
  response: pageSchema(AUDIT_EVENT),
  handle: async (call) => ({
    body: await pageOfRows(call, { name: 'audit-events', filters: {} }, async (size, after) => {
      const { rows } = await call.services.pool.query(
        `select a.id as number, a.public_id as id, at, json_build_object('type', actor_type, 'id', actor_id) as actor,
                action, target_id, details, request_id
           from audit_events a where organization_id = $1 and ($2::bigint is null or a.id < $2)
          order by a.id desc limit $3`,
        [call.caller.organization_id, after?.[0] ?? null, size],
      );
      return rows.map((row) => positioned(presentRow(AUDIT_EVENT, row), row.number));
    }),
  }),
});
