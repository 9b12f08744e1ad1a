import { AUDIT_ACTIONS } from '#accounts/audit.ts';
import { getOrganization } from '#accounts/organization-store.ts';
import { ROLES } from '#accounts/roles.ts';
import { SCOPES } from '#accounts/scopes.ts';
import {
  arrayOf,
  boolean,
  integer,
  nullable,
  number,
  object,
  oneOf,
  single,
  string,
  timestamp,
} from '#domain/json-schema.ts';
import { unitMonth } from '#domain/months.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import { dataResponse, defineEndpoint } from '#http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#http/pagination.ts';
import { positioned, presentRow } from '../records.ts';
import { ADMINISTRATION } from './common.ts';

export const getOrganizationEndpoint = defineEndpoint({
  path: '/v1/organization',
  operationId: 'getOrganization',
  ...ADMINISTRATION,
  summary: 'Get your organization',
  description:
    'Returns the organization of the calling admin key, with the limits of its plan and its usage this month.',
  response: single(
    object({
      id: string,
      name: string,
      plan: string,
      created_at: timestamp,
      term_ends_at: nullable(timestamp),
      limits: object({
        units_per_minute: nullable(integer),
        units_per_month: nullable(integer),
        page_size: integer,
        paging_depth: integer,
        active_keys: integer,
        projects: integer,
        apis: arrayOf(oneOf(SCOPES)),
      }),
      usage: object({ month: string, units: integer, overage_units: integer }),
      overage: object({ allowed: boolean, sar_per_1000_units: number, spend_cap_sar: number }),
      ip_allowlist: arrayOf(string),
      request_logs: object({ retention_days: integer, details: boolean }),
    }),
  ),
  handle: async ({ caller, services }) => {
    const found = await getOrganization(services.pool, caller.organization_id, new Date(services.clock.now()));
    return dataResponse({
      ...found,
      created_at: isoSeconds(found.created_at),
      term_ends_at: isoSeconds(found.term_ends_at),
    });
  },
});

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
        [call.caller.organization_id, after?.[0] ?? null, size, unitMonth(now)],
      );
      return rows.map((row) => positioned(presentRow(PROJECT, row), row.number));
    }),
  }),
});

export const getUsageEndpoint = defineEndpoint({
  path: '/v1/organization/usage',
  operationId: 'getUsage',
  ...ADMINISTRATION,
  summary: 'Get usage',
  description:
    'Returns calls and units by UTC day, key, endpoint and result class for the last 7, 30 or 90 days including today, latest day first.',
  parameters: [
    {
      name: 'days',
      schema: { type: 'integer', enum: [7, 30, 90], default: 30 },
      description: 'Number of days, including today.',
      example: '7',
    },
    cursorParameter,
  ],
  response: pageSchema(
    object({
      day: { type: 'string', format: 'date' },
      key_id: nullable(string),
      endpoint: { type: 'string', description: 'Operation id. The `route` filter of request logs accepts it.' },
      result: oneOf(['2xx', '4xx', '429', '5xx']),
      requests: integer,
      units: integer,
    }),
  ),
  handle: async (call) => ({
    body: await pageOfRows(call, { name: 'usage', filters: { days: call.query.days } }, async (size, after) => {
      // The current day gets rows between two pages, so a page continues after the key of a row, not after its number.
      const [day = null, key = null, name = ''] = after ?? [];
      const [endpoint = null, result = null] = name.split(' ');
      const { rows } = await call.services.pool.query(
        `select u.day::text as day, k.public_id as key_id, u.endpoint, u.result, u.requests, u.units,
                u.day - date '1970-01-01' as day_number, u.key_id as key_number
           from usage_days u left join api_keys k on k.id = u.key_id
          where u.organization_id = $1 and u.day > ($2::timestamptz at time zone 'UTC')::date - $3::int
            and ($4::int is null or u.day < date '1970-01-01' + $4 or (u.day = date '1970-01-01' + $4
              and (u.key_id, u.endpoint, u.result) > ($5::bigint, $6::text, $7::text)))
          order by u.day desc, u.key_id, u.endpoint, u.result limit $8`,
        [
          call.caller.organization_id,
          new Date(call.services.clock.now()),
          call.query.days,
          day,
          key,
          endpoint,
          result,
          size,
        ],
      );
      return rows.map(({ day_number, key_number, ...row }) => ({
        row,
        position: [day_number, key_number, `${row.endpoint} ${row.result}`],
      }));
    }),
  }),
});

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
