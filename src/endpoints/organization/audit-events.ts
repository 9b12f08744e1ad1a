import { AUDIT_ACTIONS } from '#accounts/audit.ts';
import { nullable, object, oneOf, string, timestamp } from '#domain/json-schema.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#http/pagination.ts';
import { ADMINISTRATION } from './common.ts';

interface AuditRow {
  number: number;
  id: string;
  at: Date;
  actor_type: string;
  actor_id: string | null;
  action: string;
  target_id: string | null;
  details: Record<string, unknown>;
  request_id: string | null;
}

export const listAuditEventsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organization/audit-events',
  operationId: 'listAuditEvents',
  ...ADMINISTRATION,
  summary: 'List audit events',
  description: 'Returns the changes made in the organization and who made them, latest first.',
  audience: 'admin',
  parameters: [cursorParameter],
  response: pageSchema(
    object({
      id: string,
      at: timestamp,
      actor: object({ type: oneOf(['key', 'operator', 'system']), id: nullable(string) }),
      action: oneOf(AUDIT_ACTIONS),
      target_id: nullable(string),
      details: { type: 'object', additionalProperties: true },
      request_id: nullable(string),
    }),
  ),
  handle: async (call) => ({
    body: await pageOfRows(call, { name: 'audit-events', filters: {} }, async (size, after) => {
      const { rows } = await call.services.pool.query<AuditRow>(
        `select a.id as number, a.public_id as id, at, actor_type, actor_id, action, target_id, details, request_id
           from audit_events a where organization_id = $1 and ($2::bigint is null or a.id < $2)
          order by a.id desc limit $3`,
        [call.caller.organization_id, after?.[0] ?? null, size],
      );
      return rows.map(({ number, at, actor_type, actor_id, ...row }) => ({
        row: {
          id: row.id,
          at: isoSeconds(at),
          actor: { type: actor_type, id: actor_id },
          action: row.action,
          target_id: row.target_id,
          details: row.details,
          request_id: row.request_id,
        },
        position: [number, 0],
      }));
    }),
  }),
});
