import { integer, nullable, number, object, string, timestamp, visible } from '#domain/json-schema.ts';
import type { SortPosition } from '#domain/sort-position.ts';
import { type Call, defineEndpoint, type Endpoint, type Parameter, type ValuesOf } from '#src/http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#src/http/pagination.ts';
import { presentRow } from '../records.ts';
import { ADMINISTRATION } from './common.ts';

const LOG = object({
  request_id: string,
  at: timestamp,
  key_id: nullable(string),
  method: string,
  route: string,
  query: nullable(string),
  status: integer,
  code: nullable(string),
  message: nullable(string),
  param: nullable(string),
  units: integer,
  duration_ms: number,
  ip: nullable(string),
});

const PARAMETERS = [
  {
    name: 'request_id',
    schema: visible(60),
    description: 'Request id of one call; all other filters are ignored.',
    example: 'req_0f3a',
  },
  {
    name: 'key_id',
    schema: visible(60),
    description: 'Id of the key that sent the request.',
    example: 'key_0f3a',
  },
  {
    name: 'route',
    schema: visible(200),
    description:
      'Endpoint of the call: its path template, with or without the version segment, or its operation id, as in `endpoint` of the usage response.',
    example: '/v1/listings/{id}',
  },
  {
    name: 'status',
    schema: { type: 'integer', minimum: 100, maximum: 599 },
    description: 'HTTP status of the response.',
    example: '404',
  },
  {
    name: 'since',
    schema: { type: 'string', format: 'timestamp' },
    description: 'Start of the time range, inclusive.',
    example: '2026-01-31T00:00:00Z',
  },
  {
    name: 'until',
    schema: { type: 'string', format: 'timestamp' },
    description: 'End of the time range, exclusive.',
    notBelow: 'since',
    example: '2030-01-01T00:00:00Z',
  },
  cursorParameter,
] as const satisfies readonly Parameter[];

type LogFilters = Omit<ValuesOf<(typeof PARAMETERS)[number]>, 'cursor'>;

export const listRequestLogsEndpoint = (endpoints: () => readonly Endpoint[]) =>
  defineEndpoint({
    path: '/v1/organization/request-logs',
    operationId: 'listRequestLogs',
    ...ADMINISTRATION,
    summary: 'List request logs',
    description:
      'Returns the calls of the organization within its retention window (7, 30 or 90 days), latest first. `request_id` looks up one call and ignores all other filters. Entries include the query string without credentials, and failed calls the error message and the invalid parameter, unless request details are disabled. Calls appear within a few seconds.',
    parameters: PARAMETERS,
    response: pageSchema(LOG),
    handle: async (call) => {
      const { cursor: _, ...given } = call.query;
      const query: LogFilters = given.request_id === undefined ? given : { request_id: given.request_id };
      const operation = endpoints().find(({ operationId }) => operationId === query.route);
      const filters = { ...query, ...(operation && { route: operation.path, method: operation.method }) };
      return {
        body: await pageOfRows(call, { name: 'request-logs', filters: { ...query } }, (size, after) =>
          readLogs(call, filters, size, after),
        ),
      };
    },
  });

/** @param filters with the path and the method of an operation in place of its id */
async function readLogs(
  { services, caller }: Call,
  filters: LogFilters & { method?: string },
  size: number,
  after: SortPosition | null,
) {
  const { rows } = await services.pool.query(
    `select l.id as number, l.at, (extract(epoch from l.at) * 1000000)::bigint as at_micros, l.request_id,
           k.public_id as key_id, l.method, l.route, l.query, l.status, l.code, l.message, l.param, l.units,
           round(l.duration_ms::numeric, 2)::float8 as duration_ms, host(l.ip) as ip
      from request_logs l
      join organizations o on o.id = l.organization_id
      left join api_keys k on k.id = l.key_id
     where l.organization_id = $1
       and l.at >= $2::timestamptz - make_interval(days => o.log_retention_days)
       and ($3::text is null or l.request_id = $3)
       and ($4::text is null or k.public_id = $4)
       and ($5::text is null or l.route = $5 or l.route = '/v1' || $5)
       and ($6::text is null or l.method = $6 or (l.method = 'HEAD' and $6 = 'GET'))
       and ($7::int is null or l.status = $7)
       and ($8::timestamptz is null or l.at >= $8)
       and ($9::timestamptz is null or l.at < $9)
       and ($10::bigint is null or (l.at, l.id) < (to_timestamp(0) + $10 * interval '1 microsecond', $11::bigint))
     order by l.at desc, l.id desc limit $12`,
    [
      caller.organization_id,
      new Date(services.clock.now()),
      filters.request_id ?? null,
      filters.key_id ?? null,
      filters.route ?? null,
      filters.method ?? null,
      filters.status ?? null,
      filters.since ?? null,
      filters.until ?? null,
      after?.[0] ?? null,
      after?.[1] ?? null,
      size,
    ],
  );
  return rows.map((row) => ({ row: presentRow(LOG, row), position: [row.at_micros, row.number] as const }));
}
