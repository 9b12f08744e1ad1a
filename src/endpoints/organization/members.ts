import { ROLES } from '#accounts/roles.ts';
import { object, oneOf, string, timestamp } from '#domain/json-schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#http/pagination.ts';
import { positioned, presentRow } from '../records.ts';
import { ADMINISTRATION } from './common.ts';

const MEMBER = object({ id: string, email: string, name: string, role: oneOf(ROLES), created_at: timestamp });

export const listMembersEndpoint = defineEndpoint({
  path: '/v1/organization/members',
  operationId: 'listMembers',
  ...ADMINISTRATION,
  summary: 'List members',
  description: 'Returns the members of the organization and their roles, newest first.',
  parameters: [cursorParameter],
  response: pageSchema(MEMBER),
  handle: async (call) => ({
    body: await pageOfRows(call, { name: 'members', filters: {} }, async (size, after) => {
      const { rows } = await call.services.pool.query(
        `select m.id as number, m.public_id as id, email, name, role, created_at from members m
          where organization_id = $1 and ($2::bigint is null or m.id < $2) order by m.id desc limit $3`,
        [call.caller.organization_id, after?.[0] ?? null, size],
      );
      return rows.map((row) => positioned(presentRow(MEMBER, row), row.number));
    }),
  }),
});
