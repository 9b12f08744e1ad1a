import { MAX_UNITS_HEADER } from '#src/http/cost-limits.ts';
import type { Endpoint } from '#src/http/endpoint.ts';

type Json = Record<string, unknown>;

const textHeader = (description: string): Json => ({ description, schema: { type: 'string' } });
const integerHeader = (description: string): Json => ({ description, schema: { type: 'integer' } });

const REQUEST_ID = { 'X-Request-Id': textHeader('Request id, `req_<hex>`.') };

const METERED_HEADERS: Json = {
  ...REQUEST_ID,
  'RateLimit-Limit': integerHeader('Rate limit of the key, in units per minute.'),
  'RateLimit-Remaining': integerHeader('Units that the key can use now without exceeding the rate limit.'),
  'RateLimit-Reset': integerHeader('Seconds until more units are available.'),
  'X-Request-Units': integerHeader('Units charged for this request.'),
  'X-Quota-Limit': integerHeader('Monthly quota, in units; absent on unlimited plans.'),
  'X-Quota-Remaining': integerHeader(
    "Units that remain this month: of the quota, or of the cap of the key's project if that is less; absent without either.",
  ),
  'X-Quota-Reset': integerHeader(
    'Seconds until the quota resets at the end of the month (UTC); absent with `X-Quota-Remaining`.',
  ),
};
const CHALLENGE_HEADERS: Json = { ...REQUEST_ID, 'WWW-Authenticate': textHeader('Authentication scheme: `Bearer`.') };
const RETRY_HEADERS: Json = { ...REQUEST_ID, 'Retry-After': integerHeader('Seconds to wait before retrying.') };
const DEPRECATION_HEADERS: Json = {
  Deprecation: textHeader(
    'Time of the deprecation of the operation or parameter, as `@` followed by epoch seconds (RFC 9745).',
  ),
  Sunset: textHeader('Earliest time at which the deprecated operation or parameter may stop working (RFC 8594).'),
  Link: textHeader('Link to the changelog entry about the deprecation.'),
};

const DRY_RUN_HEADERS: Json = {
  [MAX_UNITS_HEADER]: integerHeader('Most units that the call can cost; only in responses to `dry_run`.'),
};

const CACHE_HEADERS: Json = {
  ETag: textHeader('Entity tag of the response, for `If-None-Match`.'),
  'Cache-Control': textHeader('How long the response may be cached.'),
};

export const headersOf = ({ audience, caching, deprecated, parameters, price, rowPrice }: Endpoint): string[] => [
  ...(caching ? Object.keys(CACHE_HEADERS) : []),
  ...(audience === 'data' ? Object.keys(METERED_HEADERS) : []),
  ...(price.units > 0 || rowPrice ? Object.keys(DRY_RUN_HEADERS) : []),
  ...(deprecated || parameters.some((each) => each.deprecated) ? Object.keys(DEPRECATION_HEADERS) : []),
];

export const headerReferences = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const errorHeaders = (status: number): Json =>
  headerReferences(Object.keys(HEADERS_BY_STATUS[status] ?? REQUEST_ID));
const HEADERS_BY_STATUS: Readonly<Record<number, Json>> = {
  401: CHALLENGE_HEADERS,
  429: RETRY_HEADERS,
  503: RETRY_HEADERS,
};

/** Returns the definitions of all headers that responses of the endpoints have. */
export function headerDefinitions(endpoints: readonly Endpoint[]): Json {
  const sent = new Set<string>([
    ...Object.keys({ ...CHALLENGE_HEADERS, ...RETRY_HEADERS }),
    ...endpoints.flatMap(headersOf),
  ]);
  return Object.fromEntries(
    Object.entries({
      ...METERED_HEADERS,
      ...DRY_RUN_HEADERS,
      ...CACHE_HEADERS,
      ...CHALLENGE_HEADERS,
      ...RETRY_HEADERS,
      ...DEPRECATION_HEADERS,
    }).filter(([name]) => sent.has(name)),
  );
}
