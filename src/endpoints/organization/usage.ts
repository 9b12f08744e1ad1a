import { integer, nullable, object, oneOf, string } from '#domain/json-schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#http/pagination.ts';
import { ADMINISTRATION } from './common.ts';

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
      // Rows for past days rarely change. They are numbered per day, so that cursors into earlier days stay valid.
      const { rows } = await call.services.pool.query(
        `with days as (
           select u.*, u.day - date '1970-01-01' as day_number,
                  row_number() over (partition by u.day order by u.key_id, u.endpoint, u.result)::int as place
             from usage_days u
            where u.organization_id = $1 and u.day > ($2::timestamptz at time zone 'UTC')::date - $3::int
         )
         select d.day::text as day, k.public_id as key_id, d.endpoint, d.result, d.requests, d.units, d.day_number, d.place
           from days d left join api_keys k on k.id = d.key_id
          where $4::int is null or d.day_number < $4 or (d.day_number = $4 and d.place > $5)
          order by d.day_number desc, d.place limit $6`,
        [
          call.caller.organization_id,
          new Date(call.services.clock.now()),
          call.query.days,
          after?.[0] ?? null,
          after?.[1] ?? 0,
          size,
        ],
      );
      return rows.map(({ day_number, place, ...row }) => ({ row, position: [day_number, place] }));
    }),
  }),
});
