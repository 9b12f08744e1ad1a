import { FIRST_PLANS, OPEN_SCOPES } from '#accounts/scopes.ts';
import { ERROR_DETAILS, ERRORS, type ErrorCode } from '#domain/errors.ts';
import { component, componentName, type JsonSchema } from '#domain/json-schema.ts';
import { PUBLISHED_PATTERN } from '#domain/text/visible.ts';
import { isOptional } from '#http/body/read.ts';
import type { Deprecation, Endpoint, Parameter } from '#http/endpoint.ts';
import { MESSAGES } from '#http/errors/messages.ts';
import { describePrice, type Price } from '#metering/prices.ts';
import type { Config } from '#src/config.ts';
import { type Example, readExamples } from './examples.ts';

type Json = Record<string, unknown>;

/** Codes that any request with a key can get. */
const KEYED_ERRORS: readonly ErrorCode[] = [
  'invalid_value',
  'unknown_parameter',
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'expired_api_key',
  'api_key_in_query',
  'client_suspended',
  'client_expired',
  'ip_not_allowed',
  // Calls that cost no units are limited too.
  'rate_limited',
];
const SCOPED_ERRORS: readonly ErrorCode[] = ['scope_not_in_plan', 'scope_not_in_key'];
const METERED_ERRORS: readonly ErrorCode[] = ['monthly_quota_exceeded', 'spend_cap_reached', 'project_cap_exceeded'];

/** What the operations of an area are for. */
const AREAS: Readonly<Record<string, string>> = {
  'Reference data': 'Valid values of parameters: cities, neighborhoods and enumerations, and the limits of a key.',
  Listings: 'Search, count and read rental and sale listings.',
  'Market data': 'Statistics of asking prices, supply and vacancy by city and neighborhood.',
  Analytics: 'Valuation of a listing or property against comparable listings, and trends over time.',
  'Off-plan projects': 'Developments under construction, their developers and their units.',
  'Official open data': 'Registered deals, rents and indexes that public authorities publish.',
  Exports: 'Whole datasets as files.',
  Administration: 'Keys, members, usage, webhooks and audit events of an organization. Takes an admin key.',
  Service: 'Health of the service and its description.',
};

/** Every error code of an endpoint. */
export function errorCodes(endpoint: Endpoint): ErrorCode[] {
  const checks = [...endpoint.pathParameters, ...endpoint.parameters].flatMap(({ check, otherwiseWritten }) => [
    check?.code ?? [],
    otherwiseWritten ?? [],
  ]);
  const codes = new Set([...endpoint.errors, ...checks.flat(), ...pagingErrors(endpoint), 'internal_error' as const]);
  const add = (more: readonly ErrorCode[]): void => {
    for (const code of more) codes.add(code);
  };
  // A key in the URL is refused even where no key is needed. An oversized URL is an invalid value.
  if (endpoint.audience === 'public') return [...codes, 'invalid_value', 'unknown_parameter', 'api_key_in_query'];
  add(KEYED_ERRORS);
  codes.add(endpoint.audience === 'admin' ? 'admin_key_required' : 'admin_key_not_allowed');
  if (endpoint.scope !== null) add(SCOPED_ERRORS);
  if (endpoint.price.units > 0) add(METERED_ERRORS);
  if (endpoint.parameters.some((parameter) => parameter.required)) codes.add('missing_parameter');
  if (endpoint.method === 'POST') add(['invalid_body', 'conflict', 'idempotency_key_reuse']);
  return [...codes];
}

function pagingErrors({ paged, audience }: Endpoint): readonly ErrorCode[] {
  if (!paged) return [];
  // Administration has no paging depth.
  return audience === 'admin' ? ['invalid_cursor'] : ['invalid_cursor', 'result_window_exceeded'];
}

/** The OpenAPI 3.1 description of a list of endpoints. */
export function buildOpenApi(
  endpoints: readonly Endpoint[],
  config: Pick<Config, 'serviceName' | 'baseUrl'> & Partial<Pick<Config, 'siteUrl'>>,
): Json {
  const siteUrl = config.siteUrl ?? new URL(config.baseUrl).origin;
  const examples = readExamples(siteUrl);
  const schemas: Record<string, JsonSchema> = {};
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/^\/v1(?=\/)/, '');
    const entry = paths[path] ?? {};
    paths[path] = entry;
    entry[endpoint.method.toLowerCase()] = operation(endpoint, examples.get(endpoint.operationId), schemas);
    // Health checks are outside of the version segment.
    if (!endpoint.path.startsWith('/v1/')) entry.servers = [{ url: config.baseUrl.replace(/\/v1$/, '') }];
  }
  const sent = new Set<string>([...ERROR_HEADERS, ...endpoints.flatMap(headersOf)]);
  return {
    openapi: '3.1.0',
    info: {
      title: config.serviceName,
      version: '1.0.0',
      description:
        'Saudi rental and sale listings, deduplicated to one a property, with market data on top. Prices are asking prices. Send your key as `Authorization: Bearer <API_KEY>`.',
      license: { name: 'Data-use terms', url: `${siteUrl}/guides/data-use` },
    },
    servers: [{ url: config.baseUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.area))].map((name) => ({ name, description: AREAS[name] })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A data key, `svc_live_...`, or a test key, `svc_test_...`.',
        },
        adminKey: { type: 'http', scheme: 'bearer', description: 'An admin key, `svc_admin_...`.' },
      },
      schemas,
      headers: Object.fromEntries(Object.entries(HEADERS).filter(([name]) => sent.has(name))),
    },
  };
}

/** @param schemas takes the components that the operation refers to */
function operation(endpoint: Endpoint, example: Example | undefined, schemas: Record<string, JsonSchema>): Json {
  const { deprecated } = endpoint;
  const headers = headersOf(endpoint);
  const described = (schema: JsonSchema): JsonSchema => withReferences(schema, schemas);
  const responses: Json = {
    [String(endpoint.successStatus ?? 200)]: {
      description: 'Success',
      ...(headers.length > 0 ? { headers: headerReferences(headers) } : {}),
      content: {
        'application/json': {
          schema: described(endpoint.response),
          ...(example ? { example: example.answer } : {}),
        },
      },
    },
  };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodes(endpoint)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  byStatus.set(503, ['internal_error']);
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[String(status)] = {
      description: codes.map((code) => `\`${code}\`: ${MESSAGES[code]}`).join('\n\n'),
      headers: headerReferences(status === 429 || status === 503 ? ['X-Request-Id', 'Retry-After'] : ['X-Request-Id']),
      content: { 'application/json': { schema: described(ERROR_SCHEMA) } },
      'x-codes': codes,
    };
  }
  for (const [status, description] of Object.entries(endpoint.alsoAnswers ?? {})) {
    responses[status] = {
      description,
      headers: headerReferences(status === '503' ? ['X-Request-Id', 'Retry-After'] : ['X-Request-Id']),
      content: { 'application/json': { schema: described(endpoint.response) } },
    };
  }
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.area],
    summary: endpoint.summary,
    description: describeOperation(endpoint),
    ...describeDeprecation(deprecated),
    ...(endpoint.audience === 'public' ? { security: [] } : {}),
    ...(endpoint.audience === 'admin' ? { security: [{ adminKey: [] }] } : {}),
    parameters: [
      ...endpoint.pathParameters.map((parameter) => describeParameter(parameter, 'path')),
      ...endpoint.parameters.map((parameter) => describeParameter(parameter, 'query')),
    ],
    ...(endpoint.bodySchema
      ? {
          requestBody: {
            required: !isOptional(endpoint.bodySchema),
            content: {
              'application/json': {
                schema: described(endpoint.bodyDocument ?? endpoint.bodySchema),
                ...(example?.body === undefined ? {} : { example: example.body }),
              },
            },
          },
        }
      : {}),
    responses,
    'x-units': describeUnits(endpoint.price),
    'x-scope': endpoint.scope,
    'x-audience': endpoint.audience,
  };
}

/** The description with scope, plan and price. Administration and public endpoints are not metered, so they state none. */
export function describeOperation({ audience, description, price, scope }: Endpoint): string {
  if (audience !== 'data') return description;
  const open = scope === null || OPEN_SCOPES.includes(scope);
  const reach = open ? 'Any data key.' : `Scope \`${scope}\`, from the ${FIRST_PLANS[scope]} plan.`;
  return `${description} ${reach} ${describePrice(price)}`;
}

/** Where in the changelog something is announced to be deprecated, and until when it works at least. */
function describeDeprecation(deprecated: Deprecation | undefined): Json {
  if (!deprecated) return {};
  const { entry, sunset } = deprecated;
  return {
    deprecated: true,
    'x-changelog': entry,
    ...(sunset === null ? {} : { 'x-sunset': new Date(sunset).toISOString().slice(0, 10) }),
  };
}

/** `{ units: 15 }`, or `{ units: 1, per: 10, parameter: 'limit' }`. */
function describeUnits(price: Price): Json {
  if (!('per' in price)) return { units: price.units };
  const { units, per, parameter } = price;
  return { units, per, parameter };
}

function describeParameter(parameter: Parameter, place: 'path' | 'query'): Json {
  return {
    name: parameter.name,
    in: place,
    required: place === 'path' || parameter.required === true,
    description: parameter.description,
    ...describeDeprecation(parameter.deprecated),
    schema: plainSchema(parameter.schema),
    // Several values are separated by commas; repeating the parameter is an error.
    ...(parameter.schema.type === 'array' ? { style: 'form', explode: false } : {}),
    ...describeExample(parameter, place),
  };
}

/** Viewers that send requests prefill every example; `x-disabled` keeps those of optional parameters switched off. */
function describeExample(parameter: Parameter, place: 'path' | 'query'): Json {
  const value = exampleValue(parameter);
  if (value === undefined) return {};
  if (place === 'path' || parameter.required) return { example: value };
  return { examples: { default: { value, 'x-disabled': true } } };
}

/**
 * Removes the keywords that only this service's ajv knows, at every depth, or says them in others. Generators of clients
 * know no list with a schema for each place: it becomes a list of what any place takes.
 * @param reference of a schema that is described elsewhere, to be put in its place; null for the others
 */
export function plainSchema(
  schema: JsonSchema,
  reference: (schema: JsonSchema) => JsonSchema | null = () => null,
): JsonSchema {
  const {
    orderedBox: _box,
    searchText: _text,
    accepts: _words,
    sensitive: _secret,
    visibleText,
    prefixItems,
    ...plain
  } = schema;
  const stated = visibleText ? { ...plain, pattern: PUBLISHED_PATTERN } : plain;
  const inner = (value: unknown): JsonSchema =>
    reference(value as JsonSchema) ?? plainSchema(value as JsonSchema, reference);
  const entries = Object.entries(stated).map(([keyword, value]) => {
    if (keyword === 'format' && String(value).startsWith('timestamp')) return [keyword, 'date-time'];
    if (keyword === 'items' && prefixItems) return [keyword, inner(anyPlace(prefixItems as readonly JsonSchema[]))];
    if (keyword === 'properties') {
      const properties = Object.entries(value as Record<string, JsonSchema>);
      return [keyword, Object.fromEntries(properties.map(([name, each]) => [name, inner(each)]))];
    }
    if (SCHEMA_LISTS.includes(keyword)) return [keyword, (value as readonly JsonSchema[]).map(inner)];
    return [keyword, SCHEMAS.includes(keyword) && typeof value === 'object' ? inner(value) : value];
  });
  return Object.fromEntries(entries);
}

/** The schema of any item of a list of numbers whose places have bounds of their own. */
function anyPlace(items: readonly JsonSchema[]): JsonSchema {
  const bounds = (keyword: string): number[] => items.map((item) => Number(item[keyword]));
  return { ...items[0], minimum: Math.min(...bounds('minimum')), maximum: Math.max(...bounds('maximum')) };
}

/** Keywords whose values are schemas. */
const SCHEMAS = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'];
const SCHEMA_LISTS = ['oneOf', 'anyOf', 'allOf'];

function exampleValue({ example, schema }: Parameter): unknown {
  const scalar = (text: string, type: unknown): unknown => {
    if (type === 'integer' || type === 'number') return Number(text);
    return type === 'boolean' ? text === 'true' : text;
  };
  if (example === undefined) return undefined;
  if (schema.type !== 'array') return scalar(example, schema.type);
  const items = (schema.items || { type: 'number' }) as JsonSchema;
  return example.split(',').map((part) => scalar(part, items.type));
}

/** The schema with a reference in the place of every component, which `schemas` takes. */
function withReferences(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const reference = (each: JsonSchema): JsonSchema | null => {
    const name = componentName(each);
    if (name === undefined) return null;
    schemas[name] ??= plainSchema(each, reference);
    return { $ref: `#/components/schemas/${name}` };
  };
  return reference(schema) ?? plainSchema(schema, reference);
}

const METERED_HEADERS = [
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Units',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Quota-Reset',
] as const;

/** On answers to what is deprecated. */
const DEPRECATION_HEADERS = ['Deprecation', 'Sunset', 'Link'] as const;

/** On errors. */
const ERROR_HEADERS = ['X-Request-Id', 'Retry-After'] as const;

/** The headers of a success. */
const headersOf = ({ audience, deprecated, parameters }: Endpoint): string[] => [
  ...(audience === 'data' ? METERED_HEADERS : []),
  ...(deprecated || parameters.some((each) => each.deprecated) ? DEPRECATION_HEADERS : []),
];

const headerReferences = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const integerHeader = (description: string): Json => ({ description, schema: { type: 'integer' } });

const HEADERS: Json = {
  'X-Request-Id': { description: 'Id of the request, `req_<hex>`.', schema: { type: 'string' } },
  'RateLimit-Limit': integerHeader('Units a minute.'),
  'RateLimit-Remaining': integerHeader('Units left in the last minute.'),
  'RateLimit-Reset': integerHeader('Seconds until units come back.'),
  'X-Request-Units': integerHeader('Units this request was charged.'),
  'X-Quota-Limit': integerHeader('Units a month; absent on unlimited plans.'),
  'X-Quota-Remaining': integerHeader('Units left this month; absent on unlimited plans.'),
  'X-Quota-Reset': integerHeader('Seconds until the month ends (UTC); absent on unlimited plans.'),
  'Retry-After': integerHeader('Seconds to wait before trying again.'),
  Deprecation: {
    description: 'Where something that was asked for is deprecated: since when, as `@` and epoch seconds (RFC 9745).',
    schema: { type: 'string' },
  },
  Sunset: { description: 'Until when it works at least (RFC 8594).', schema: { type: 'string' } },
  Link: { description: 'Where in the changelog that is explained.', schema: { type: 'string' } },
};

const ERROR_SCHEMA: JsonSchema = component('Error', {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message', 'param', 'request_id', 'doc_url'],
      properties: {
        type: { type: 'string', enum: [...new Set(Object.values(ERRORS).map(({ type }) => type))] },
        code: { type: 'string', description: 'Branch on this. Codes are never renamed; new ones may come.' },
        message: { type: 'string', description: 'For people; may change.' },
        param: { type: ['string', 'null'], description: 'The parameter at fault.' },
        request_id: { type: 'string', pattern: '^req_[0-9a-f]+$' },
        doc_url: { type: 'string' },
        details: {
          type: 'object',
          description: 'Facts for programs, by code. New details may be added.',
          properties: ERROR_DETAILS,
        },
      },
    },
  },
});
