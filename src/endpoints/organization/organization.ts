import {
  arrayOf,
  component,
  integer,
  nullable,
  object,
  oneOf,
  single,
  string,
  timestamp,
} from '#domain/json-schema.ts';
import { toAmount } from '#domain/money.ts';
import { quote } from '#domain/text/visible.ts';
import { AUDIT_ACTIONS, type AuditAction } from '#src/accounts/audit.ts';
import { NAME_SCHEMA } from '#src/accounts/names.ts';
import { changeOrganization, getOrganization, ORGANIZATION } from '#src/accounts/organization-store.ts';
import { requirePermission } from '#src/accounts/roles.ts';
import { networkCheck, networkRange } from '#src/http/client-address.ts';
import { type Call, changeOf, dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#src/http/pagination.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { newestFirst, presentRow } from '../records.ts';
import { ADMINISTRATION, bodyOf, bodyRequiring, requireChange, requireRecentSignIn } from './common.ts';

const DAYS = component('Days', [7, 30, 90]);
const USAGE_GROUPS = component('UsageGroup', ['key', 'project', 'member', 'operation', 'day'] as const);

const readOrganization = async (db: Queryable, { caller, services }: Pick<Call, 'caller' | 'services'>) =>
  dataResponse(await getOrganization(db, caller.organization_id, new Date(services.clock.now())));

const getOrganizationEndpoint = defineEndpoint({
  path: '/v1/organization',
  operationId: 'getOrganization',
  ...ADMINISTRATION,
  summary: 'Get your organization',
  description:
    'Returns the organization of the calling admin key, with the limits of its plan and its usage this month.',
  response: single(ORGANIZATION),
  handle: (call) => readOrganization(call.services.pool, call),
});

const setSpendCapEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/spend-cap',
  operationId: 'setSpendCap',
  ...ADMINISTRATION,
  permission: 'own',
  summary: 'Set the spend cap',
  description:
    'Sets the monthly spend cap on units beyond the quota. With 0, calls beyond the quota receive 429 `monthly_quota_exceeded`. The cap applies within a second; plans without overage ignore it.',
  bodySchema: bodyRequiring(['spend_cap_sar'], {
    spend_cap_sar: { type: 'number', minimum: 0, maximum: 1_000_000, description: 'Spend cap per month in SAR.' },
  }),
  response: single(ORGANIZATION),
  handle: async (call) => {
    const { db, caller, body } = call;
    await changeOrganization(changeOf(call), caller.organization_id, { spend_cap_sar: toAmount(body.spend_cap_sar) });
    return readOrganization(db, call);
  },
});

const updateOrganizationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization',
  operationId: 'updateOrganization',
  ...ADMINISTRATION,
  permission: 'manage',
  summary: 'Change settings',
  description:
    'Changes the name, the IP allowlist and the request logs of the organization. Fields that are left out keep their values.',
  bodySchema: bodyOf({
    name: NAME_SCHEMA,
    ip_allowlist: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 60 },
      maxItems: 100,
      description:
        'Addresses and CIDR ranges from which calls are accepted, for data keys and admin keys; empty for all. Requires the role `owner`. Other calls receive 403 `ip_not_allowed`. A list without the address of this call returns 409 `conflict` unless `force` is set.',
    },
    force: {
      type: 'boolean',
      default: false,
      description: 'Whether to set an allowlist without the address of this call, which locks its caller out.',
    },
    request_logs: {
      type: 'object',
      additionalProperties: false,
      description: 'Retention in days, and whether logs contain details of requests.',
      properties: {
        retention_days: { type: 'integer', enum: DAYS },
        details: { type: 'boolean' },
      },
    },
  }),
  response: single(ORGANIZATION),
  errors: ['invalid_value', 'conflict'],
  // An allowlist can lock owners out.
  authorize: async (call) => {
    const isRisky = call.body.ip_allowlist !== undefined;
    await requirePermission(call.db, call.caller.key_id, isRisky ? 'own' : 'manage');
    if (isRisky) requireRecentSignIn(call);
  },
  handle: async (call) => {
    const { db, caller, body, ip } = call;
    const { force, ...changes } = body;
    requireChange(changes);
    const { name, ip_allowlist: given, request_logs: logs } = changes;
    const ranges = given?.map(requireRange);
    if (ranges?.length && !force && !networkCheck(ranges)(ip))
      throw new ApiError('conflict', {
        param: 'ip_allowlist',
        message: `\`ip_allowlist\` does not contain the address of this call${ip === null ? '' : `, ${ip}`}: its next call would be refused. Add the address, or set \`force\` to \`true\`.`,
      });
    await changeOrganization(changeOf(call), caller.organization_id, {
      name: name?.trim(),
      ip_allowlist: ranges,
      log_retention_days: logs?.retention_days,
      log_request_details: logs?.details,
    });
    return readOrganization(db, call);
  },
});

function requireRange(text: string): string {
  const range = networkRange(text);
  if (range !== null) return range;
  const message = `\`ip_allowlist\` must contain addresses or CIDR ranges such as \`203.0.113.0/24\`, not ${quote(text)}.`;
  throw new ApiError('invalid_value', { param: 'ip_allowlist', message });
}

const USAGE_DAYS = {
  name: 'days',
  schema: { type: 'integer', enum: DAYS, default: 30 },
  description: 'Number of days, including today.',
  example: '7',
} as const;

const getUsageEndpoint = defineEndpoint({
  path: '/v1/organization/usage',
  operationId: 'getUsage',
  ...ADMINISTRATION,
  summary: 'Get usage',
  description:
    'Returns calls and units by UTC day, key, endpoint and result class for the last 7, 30 or 90 days including today, latest day first.',
  parameters: [USAGE_DAYS, cursorParameter],
  response: pageSchema(
    object({
      day: { type: 'string', format: 'date' },
      key_id: nullable(string),
      endpoint: { type: 'string', description: 'Operation id. The `route` filter of request logs accepts it.' },
      result: oneOf(component('StatusClass', ['2xx', '4xx', '429', '5xx'])),
      requests: integer,
      units: integer,
    }),
  ),
  handle: async (call) => ({
    body: await pageOfRows(call, { name: 'usage', filters: { days: call.query.days } }, async (size, after) => {
      // The current day gets rows between two pages.
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

const MAX_GROUPS = 1_000;
const TOTALS = { requests: integer, units: integer };

const getUsageTotalsEndpoint = defineEndpoint({
  path: '/v1/organization/usage/totals',
  operationId: 'getUsageTotals',
  ...ADMINISTRATION,
  summary: 'Get usage by key, project, member, operation or day',
  description: `Returns the calls and units of the last 7, 30 or 90 days including today, in total and by key, project, member, operation or UTC day, most units first. Calls of keys without a project or member have the id null; a removed member keeps its id and name. Contains at most ${MAX_GROUPS} groups; the total includes all.`,
  parameters: [
    USAGE_DAYS,
    {
      name: 'group_by',
      schema: { type: 'string', enum: USAGE_GROUPS, default: 'key' },
      description: 'What the groups are.',
      example: 'project',
    },
  ],
  response: single(
    object({
      days: integer,
      group_by: oneOf(USAGE_GROUPS),
      total: object(TOTALS),
      groups: arrayOf(object({ id: nullable(string), name: nullable(string), ...TOTALS })),
    }),
  ),
  handle: async ({ query: { days, group_by }, services, caller }) => {
    const [id, name] = GROUPS[group_by];
    const rows = await sql.queryRows(
      services.pool,
      { ...GROUP, requests: sql.integer, units: sql.integer, all_requests: sql.integer, all_units: sql.integer },
      `select ${id} as id, ${name} as name, sum(u.requests)::bigint as requests, sum(u.units)::bigint as units,
              (sum(sum(u.requests)) over ())::bigint as all_requests, (sum(sum(u.units)) over ())::bigint as all_units
         from usage_days u left join api_keys k on k.id = u.key_id left join projects p on p.id = k.project_id
         left join members m on m.id = k.member_id
        where u.organization_id = $1 and u.day > ($2::timestamptz at time zone 'UTC')::date - $3::int
        group by 1, 2 order by sum(u.units) desc, sum(u.requests) desc, 1 limit $4`,
      [caller.organization_id, new Date(services.clock.now()), days, MAX_GROUPS],
    );
    return dataResponse({
      days,
      group_by,
      total: { requests: rows[0]?.all_requests ?? 0, units: rows[0]?.all_units ?? 0 },
      groups: rows.map(({ id, name, requests, units }) => ({ id, name, requests, units })),
    });
  },
});

/** Id and name of a group. */
const GROUPS = {
  key: ['k.public_id', 'k.name'],
  project: ['p.public_id', 'p.name'],
  member: ["coalesce(m.public_id, k.removed_member ->> 'id')", "coalesce(m.name, k.removed_member ->> 'name')"],
  operation: ['u.endpoint', 'u.endpoint'],
  day: ['u.day::text', 'u.day::text'],
} as const satisfies Readonly<Record<(typeof USAGE_GROUPS)[number], readonly [string, string]>>;

const GROUP = { id: sql.nullable(sql.text), name: sql.nullable(sql.text) };

const ACTORS = component('AuditActor', ['key', 'operator', 'system']);

const AUDIT_EVENT = object({
  id: string,
  at: timestamp,
  actor: object({ type: oneOf(ACTORS), id: nullable(string) }),
  action: oneOf(AUDIT_ACTIONS),
  target_id: nullable(string),
  details: { type: 'object', additionalProperties: true },
  request_id: nullable(string),
});

const AUDIT_EVENTS = {
  columns: {
    number: sql.integer,
    id: sql.text,
    at: sql.timestamp,
    actor: sql.object({ type: sql.textAs<(typeof ACTORS)[number]>(), id: sql.nullable(sql.text) }),
    action: sql.textAs<AuditAction>(),
    target_id: sql.nullable(sql.text),
    details: sql.json<Record<string, unknown>>(),
    request_id: sql.nullable(sql.text),
  },
  select: `a.id as number, a.public_id as id, at, json_build_object('type', actor_type, 'id', actor_id) as actor,
           action, target_id, details, request_id`,
  from: 'audit_events a',
  table: 'a',
};

export const listAuditEventsEndpoint = defineEndpoint({
  path: '/v1/organization/audit-events',
  operationId: 'listAuditEvents',
  ...ADMINISTRATION,
  summary: 'List audit events',
  description: 'Returns the changes made in the organization and who made them, latest first.',
  ...newestFirst(
    'audit-events',
    AUDIT_EVENT,
    () => AUDIT_EVENTS,
    (row) => presentRow(AUDIT_EVENT, row),
  ),
});

export const organizationEndpoints = [getOrganizationEndpoint, updateOrganizationEndpoint, setSpendCapEndpoint];

export const usageEndpoints = [getUsageEndpoint, getUsageTotalsEndpoint];
