import { getOrganization } from '#accounts/organization-store.ts';
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
import { isoSeconds } from '#domain/timestamps.ts';
import { dataResponse, defineEndpoint } from '#http/endpoint.ts';
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
