import { defineEndpoint } from '../../http/endpoint.ts';
import { integer, nullable, object, oneOf, page, string } from '../../http/schemas.ts';
import { cursorParameter, listPage } from './paging.ts';

interface UsageRow {
  day: string;
  key_id: string | null;
  endpoint: string;
  result: string;
  requests: number;
  units: number;
}

export const getUsageEndpoint = defineEndpoint<object, { days: number }>({
  method: 'GET',
  path: '/v1/organization/usage',
  operationId: 'getUsage',
  area: 'Administration',
  summary: 'Usage',
  description:
    'Calls and units by UTC day, key, endpoint and result class, the latest day first, over the last 7, 30 or 90 days with today.',
  audience: 'admin',
  scope: null,
  units: () => 0,
  paged: true,
  pathParameters: [],
  parameters: [
    {
      name: 'days',
      schema: { type: 'integer', enum: [7, 30, 90], default: 30 },
      description: 'How many days back.',
      example: '7',
    },
    cursorParameter,
  ],
  response: page(
    object({
      day: { type: 'string', format: 'date' },
      key_id: nullable(string),
      endpoint: string,
      result: oneOf(['2xx', '4xx', '429', '5xx']),
      requests: integer,
      units: integer,
    }),
  ),
  errors: ['invalid_cursor'],
  handle: async (call) => ({
    body: await listPage(call, 'usage', { days: call.query.days }, async (size, after) => {
      const skip = after?.[0] ?? 0;
      const { rows } = await call.services.pool.query<UsageRow>(
        `select u.day::text as day, k.public_id as key_id, u.endpoint, u.result, u.requests, u.units
           from usage_days u left join api_keys k on k.id = u.key_id
          where u.organization_id = $1 and u.day > ($2::timestamptz at time zone 'UTC')::date - $3::int
          order by u.day desc, u.key_id, u.endpoint, u.result offset $4 limit $5`,
        [call.caller.organization_id, new Date(call.services.clock.now()), call.query.days, skip, size],
      );
      return rows.map((row, index) => ({ row, position: [skip + index + 1, 0] }));
    }),
  }),
});
