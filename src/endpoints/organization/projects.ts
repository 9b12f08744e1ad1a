import { integer, nullable, object, string, timestamp } from '#domain/json-schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#http/pagination.ts';
import { positioned, presentRow } from '../records.ts';
import { ADMINISTRATION } from './common.ts';

const PROJECT = object({
  id: string,
  name: string,
  monthly_unit_cap: nullable(integer),
  units_this_month: integer,
  active_keys: integer,
  created_at: timestamp,
});

export const listProjectsEndpoint = defineEndpoint({
  path: '/v1/organization/projects',
  operationId: 'listProjects',
  ...ADMINISTRATION,
  summary: 'List projects',
  description: 'Returns the projects that group keys, with their monthly unit caps and their usage this month.',
  parameters: [cursorParameter],
  response: pageSchema(PROJECT),
  handle: async (call) => ({
    body: await pageOfRows(call, { name: 'projects', filters: {} }, async (size, after) => {
      const now = new Date(call.services.clock.now());
      const { rows } = await call.services.pool.query(
        `select p.id as number, p.public_id as id, p.name, p.monthly_unit_cap, p.created_at,
                coalesce(c.units, 0) as units_this_month,
                (select count(*)::int from api_keys k where k.project_id = p.id and k.revoked_at is null
                    and (k.expires_at is null or k.expires_at > now())) as active_keys
           from projects p
           left join unit_counters c on c.subject = 'project' and c.subject_id = p.id and c.month = $4
          where p.organization_id = $1 and ($2::bigint is null or p.id < $2) order by p.id desc limit $3`,
        [call.caller.organization_id, after?.[0] ?? null, size, now.getUTCFullYear() * 100 + now.getUTCMonth() + 1],
      );
      return rows.map((row) => positioned(presentRow(PROJECT, row), row.number));
    }),
  }),
});
