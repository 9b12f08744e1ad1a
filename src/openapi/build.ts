import { ERROR_CODES, ERROR_DETAILS, ERRORS, type ErrorCode, errorType } from '#domain/errors.ts';
import { component, type JsonSchema } from '#domain/json-schema.ts';
import type { EventType } from '#domain/listings/events.ts';
import type { Permission } from '#src/accounts/roles.ts';
import { FIRST_PLANS, OPEN_SCOPES } from '#src/accounts/scopes.ts';
import type { Config } from '#src/config.ts';
import { isOptional } from '#src/http/body/read.ts';
import { DRY_RUN } from '#src/http/cost-parameters.ts';
import { decodeValue } from '#src/http/decode-value.ts';
import type { Deprecation, Endpoint, Parameter } from '#src/http/endpoint.ts';
import { describePrice, type Price } from '#src/metering/prices.ts';
import bodies from './bodies.json' with { type: 'json' };
import { describeEvent, EVENT_BODIES } from './events.ts';
import { composeExample, describeFields } from './fields.ts';
import { errorHeaders, headerDefinitions, headerReferences, headersOf } from './headers.ts';
import { type Clients, type CodeSample, codeSamples } from './samples.ts';
import { withReferences } from './schemas.ts';

type Json = Record<string, unknown>;

/** By operation. */
const BODIES: Readonly<Record<string, unknown>> = bodies;

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
  // Calls that cost no units are also limited.
  'rate_limited',
];

const AREAS: Readonly<Record<string, string>> = {
  'Reference data': 'Valid parameter values (cities, neighborhoods and enumerations) and the limits of a key.',
  Listings: 'Search, count and retrieve rental and sale listings.',
  'Market data': 'Statistics of asking prices, supply and vacancy by city and neighborhood.',
  Analytics: 'Valuation of a listing or property against comparable listings, and trends over time.',
  'Off-plan projects': 'Developments under construction, with their developers and units.',
  'Official open data': 'Registered deals, rents and indexes published by public authorities.',
  Exports: 'Complete datasets as files.',
  Administration:
    'Manage the keys, members, usage, webhooks and audit events of an organization. Requires an admin key.',
  Service: 'Health checks and the OpenAPI document.',
};

export function errorCodes(endpoint: Endpoint): ErrorCode[] {
  const { audience, method, scope, price, paged, parameters } = endpoint;
  const isPermitted = method === 'POST' && endpoint.permission !== undefined;
  const when = (applies: boolean, codes: readonly ErrorCode[]): readonly ErrorCode[] => (applies ? codes : []);
  const own: readonly ErrorCode[] = [
    ...endpoint.errors,
    ...[...endpoint.pathParameters, ...parameters].flatMap(({ check, nonCanonicalError }) =>
      [check?.code ?? [], nonCanonicalError ?? []].flat(),
    ),
    ...when(paged === true, ['invalid_cursor']),
    // Administration lists have no maximum depth.
    ...when(paged === true && audience !== 'admin', ['result_window_exceeded']),
    'internal_error',
  ];
  // A key in the URL, and an oversized URL, are refused even if no key is needed.
  if (audience === 'public') return [...own, 'invalid_value', 'unknown_parameter', 'api_key_in_query'];
  const keyed: readonly ErrorCode[] = [
    ...KEYED_ERRORS,
    audience === 'admin' ? 'admin_key_required' : 'admin_key_not_allowed',
    ...when(scope !== null, ['scope_not_in_plan', 'scope_not_in_key']),
    ...when(price.units > 0, ['monthly_quota_exceeded', 'spend_cap_reached', 'project_cap_exceeded']),
    ...when(
      parameters.some(({ required }) => required),
      ['missing_parameter'],
    ),
    ...when(isPermitted, ['forbidden_action']),
    ...when(method === 'POST', ['invalid_body', 'conflict', 'idempotency_key_reuse']),
  ];
  return [...new Set([...own, ...keyed])];
}

export function buildOpenApi(
  endpoints: readonly Endpoint[],
  config: Pick<Config, 'serviceName' | 'baseUrl'> & Partial<Pick<Config, 'siteUrl'>>,
  clients: Clients = [],
): Json {
  const siteUrl = config.siteUrl ?? new URL(config.baseUrl).origin;
  const schemas: Record<string, JsonSchema> = {};
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/^\/v1(?=\/)/, '');
    const entry = paths[path] ?? {};
    paths[path] = entry;
    entry[endpoint.method.toLowerCase()] = operation(endpoint, schemas, { baseUrl: config.baseUrl, clients });
    // Health checks have no version in their URLs.
    if (!endpoint.path.startsWith('/v1/')) entry.servers = [{ url: config.baseUrl.replace(/\/v1$/, '') }];
  }
  return {
    openapi: '3.1.0',
    info: {
      title: config.serviceName,
      version: '1.0.0',
      description:
        'Saudi rental and sale listings, deduplicated to one listing per property, and market data. Prices are asking prices. Send your key as `Authorization: Bearer <API_KEY>`.',
      license: { name: 'Data-use terms', url: `${siteUrl}/guides/data-use` },
    },
    servers: [{ url: config.baseUrl }],
    // Generators for Go do not distinguish the names of schemes and schemas by case, and there is a schema `ApiKey`.
    security: [{ dataKey: [] }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.area))].map((name) => ({ name, description: AREAS[name] })),
    paths,
    webhooks: Object.fromEntries(EVENT_BODIES.map(({ type, schema }) => [type, webhook(type, schema, schemas)])),
    components: {
      securitySchemes: {
        dataKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A data key, `svc_live_...`, or a test key, `svc_test_...`.',
        },
        adminKey: { type: 'http', scheme: 'bearer', description: 'An admin key, `svc_admin_...`.' },
      },
      schemas,
      headers: headerDefinitions(endpoints),
    },
  };
}

function webhook(type: EventType, schema: JsonSchema, schemas: Record<string, JsonSchema>): Json {
  const described = describeFields(schema, type);
  const content = { schema: withReferences(described, schemas), example: composeExample(described) };
  return {
    post: { ...describeEvent(type), requestBody: { required: true, content: { 'application/json': content } } },
  };
}

function operation(endpoint: Endpoint, schemas: Record<string, JsonSchema>, samples: SampleOptions): Json {
  const { deprecated } = endpoint;
  const headers = headersOf(endpoint);
  const response = describeFields(endpoint.response, endpoint.operationId);
  const body = BODIES[endpoint.operationId];
  const content = (schema: JsonSchema, shown?: unknown): Json => ({
    'application/json': {
      schema: withReferences(schema, schemas),
      ...(shown === undefined ? {} : { example: shown }),
    },
  });
  const responses: Json = {
    [String(endpoint.successStatus ?? 200)]: {
      description: 'Success',
      ...(headers.length > 0 ? { headers: headerReferences(headers) } : {}),
      content: content(response, endpoint.response.properties ? composeExample(response) : undefined),
      // Outside `content`, because an alternative would change the types of generated clients.
      ...(endpoint.otherTypes ? { 'x-other-types': endpoint.otherTypes } : {}),
      ...(isPriced(endpoint) ? { 'x-dry-run': withReferences(describeFields(DRY_RUN, 'DryRun'), schemas) } : {}),
    },
  };
  if (endpoint.caching)
    responses[304] = {
      description:
        'The response has the entity tag that `If-None-Match` states. This costs 0 units if the service has the response in memory, otherwise the units of the 200 response.',
      headers: headerReferences(headers),
    };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodes(endpoint)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  byStatus.set(503, ['internal_error']);
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${ERRORS[code].en.message}`).join('\n\n'),
      headers: errorHeaders(status),
      content: content(describeFields(ERROR_SCHEMA, 'Error')),
      'x-codes': codes,
    };
  }
  for (const [status, description] of Object.entries(endpoint.otherResponses ?? {}))
    responses[status] = {
      description,
      headers: errorHeaders(Number(status)),
      content: content(response),
    };
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.area],
    summary: endpoint.summary,
    description: describeOperation(endpoint),
    ...describeDeprecation(deprecated),
    ...(endpoint.audience === 'public' ? { security: [] } : {}),
    ...(endpoint.audience === 'admin' ? { security: [{ adminKey: [] }] } : {}),
    parameters: [
      ...endpoint.pathParameters.map((parameter) => describeParameter(parameter, 'path', schemas)),
      ...endpoint.parameters.map((parameter) => describeParameter(parameter, 'query', schemas)),
    ],
    ...(endpoint.bodySchema
      ? {
          requestBody: {
            required: !isOptional(endpoint.bodySchema),
            content: content(endpoint.bodyDocument ?? endpoint.bodySchema, body),
          },
        }
      : {}),
    responses,
    'x-units': { ...describeUnits(endpoint.price), ...(endpoint.rowPrice ? { rows: endpoint.rowPrice } : {}) },
    'x-scope': endpoint.scope,
    'x-audience': endpoint.audience,
    'x-codeSamples': describeSamples(endpoint, samples),
  };
}

const isPriced = ({ price, rowPrice }: Endpoint): boolean => price.units > 0 || rowPrice !== undefined;

interface SampleOptions {
  baseUrl: string;
  clients: Clients;
}

function describeSamples(endpoint: Endpoint, { baseUrl, clients }: SampleOptions): CodeSample[] {
  const call = {
    path: exampleValues(endpoint.pathParameters),
    query: exampleValues(endpoint.parameters.filter(({ required, sampled }) => required || sampled)),
    body: BODIES[endpoint.operationId],
  };
  return codeSamples(endpoint, call, baseUrl, clients);
}

/** Administration and public endpoints are not metered. */
export function describeOperation(endpoint: Endpoint): string {
  const { audience, description, price, rowPrice, scope } = endpoint;
  if (endpoint.method === 'POST' && endpoint.permission) return `${description} ${PERMITTED[endpoint.permission]}`;
  if (audience !== 'data') return description;
  const open = scope === null || OPEN_SCOPES.includes(scope);
  const reach = open
    ? 'Any data key can call this operation.'
    : `Requires the \`${scope}\` scope, which the ${FIRST_PLANS[scope]} plan and higher plans include.`;
  // The description states the price of estimates.
  if (rowPrice?.per === 1) return `${description} ${reach}`;
  const cost = rowPrice
    ? `Costs ${rowPrice.units} units per ${rowPrice.per} rows of listings; open data costs 0 units.`
    : describePrice(price);
  return `${description} ${reach} ${cost}`;
}

const PERMITTED: Readonly<Record<Permission, string>> = {
  own: 'The admin key of a member requires the role `owner`.',
  manage: 'The admin key of a member requires the role `owner` or `admin`.',
  develop: 'The admin key of a member requires the role `owner`, `admin` or `developer`.',
  bill: 'The admin key of a member requires the role `owner` or `billing`.',
  belong: 'Every role may call this operation.',
};

function describeDeprecation(deprecated: Deprecation | undefined): Json {
  if (!deprecated) return {};
  const { entry, sunset } = deprecated;
  return {
    deprecated: true,
    'x-changelog': entry,
    ...(sunset === null ? {} : { 'x-sunset': new Date(sunset).toISOString().slice(0, 10) }),
  };
}

function describeUnits(price: Price): Json {
  if (!('per' in price))
    return { units: price.units, ...(price.without !== undefined && { units_without_result: price.without }) };
  const { units, per, parameter } = price;
  return { units, per, parameter };
}

function describeParameter(parameter: Parameter, place: 'path' | 'query', schemas: Record<string, JsonSchema>): Json {
  return {
    name: parameter.name,
    in: place,
    required: place === 'path' || parameter.required === true,
    description: parameter.description,
    ...describeDeprecation(parameter.deprecated),
    schema: withReferences(parameter.schema, schemas),
    // Commas make short URLs.
    ...(parameter.schema.type === 'array' ? { style: 'form', explode: false } : {}),
    ...describeExample(parameter, place),
  };
}

/** API viewers prefill requests with every example; `x-disabled` keeps optional parameters unset. */
function describeExample(parameter: Parameter, place: 'path' | 'query'): Json {
  const value = exampleValue(parameter);
  if (value === undefined) return {};
  if (place === 'path' || parameter.required || parameter.sampled) return { example: value };
  return { examples: { default: { value, 'x-disabled': true } } };
}

const exampleValues = (parameters: readonly Parameter[]): Json =>
  Object.fromEntries(parameters.map((parameter) => [parameter.name, exampleValue(parameter)]));

/** Texts are unchanged, because decoding converts times to UTC. */
const exampleValue = ({ example, schema }: Parameter): unknown =>
  example === undefined || schema.type === 'string' ? example : decodeValue(example, schema);

const ERROR_SCHEMA: JsonSchema = component('Error', {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message', 'param', 'request_id', 'doc_url'],
      properties: {
        type: { type: 'string', enum: component('ErrorType', [...new Set(ERROR_CODES.map(errorType))]) },
        code: {
          type: 'string',
          description: 'Machine-readable error code. Codes are never renamed; new codes may be added.',
        },
        message: { type: 'string', description: 'Description of the error for developers; the wording may change.' },
        param: { type: ['string', 'null'], description: 'Name of the invalid parameter.' },
        request_id: { type: 'string', pattern: '^req_[0-9a-f]+$' },
        doc_url: { type: 'string' },
        details: {
          type: 'object',
          description:
            'Machine-readable details of the error; the properties depend on `code`. New properties may be added.',
          properties: ERROR_DETAILS,
        },
      },
    },
  },
});
