import { arrayOf, component, integer, nullable, object, oneOf, single, string } from '#domain/json-schema.ts';
import { OPEN_SCOPES, SCOPES } from '#src/accounts/scopes.ts';
import { LIMITED_BY } from '#src/http/cost-parameters.ts';
import { dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { REFERENCE } from './common.ts';

export const limits = defineEndpoint({
  path: '/v1/limits',
  operationId: 'getLimits',
  ...REFERENCE,
  caching: undefined,
  summary: 'Get the limits of the calling key',
  description:
    'Returns the plan, rate limit, monthly quota, page size, paging depth and permitted APIs of the calling key. `free_calls_per_minute` is the maximum number of calls per minute that cost 0 units. `free_bytes_per_minute` is the maximum number of compressed response bytes per minute of `GET` requests that cost 0 units. Requests over either limit receive 429 `rate_limited` with `Retry-After`. Each server enforces these limits separately.',
  response: single(
    object({
      plan: string,
      key_kind: oneOf(component('DataKeyKind', ['live', 'test'])),
      units_per_minute: nullable(integer),
      units_per_month: nullable(integer),
      units_remaining_this_month: nullable(integer),
      units_until_refused: nullable(integer),
      limited_by: LIMITED_BY,
      free_calls_per_minute: integer,
      free_bytes_per_minute: integer,
      page_size: integer,
      paging_depth: integer,
      apis: arrayOf(oneOf(SCOPES)),
    }),
  ),
  handle: async ({ caller, services: { config } }) =>
    dataResponse({
      plan: caller.plan,
      key_kind: caller.kind === 'test' ? 'test' : 'live',
      units_per_minute: caller.rate_limit,
      units_per_month: caller.quota_limit,
      units_remaining_this_month: caller.quota_remaining,
      units_until_refused: caller.units_until_refused ?? null,
      limited_by: caller.limited_by ?? null,
      free_calls_per_minute: config.limits.unchargedCalls,
      free_bytes_per_minute: config.limits.freeBytes,
      page_size: caller.page_size,
      paging_depth: caller.paging_depth,
      apis: SCOPES.filter((scope) => OPEN_SCOPES.includes(scope) || caller.scopes.includes(scope)),
    }),
});
