import type { Scope } from '#accounts/scopes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { Endpoint, Parameter } from '#http/endpoint.ts';
import { describeOperation, plainSchema } from '#openapi/build.ts';

/** An operation as a tool of an assistant. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  /** Path, query and body in one: an object of named arguments. */
  inputSchema: { type: 'object'; properties: Record<string, JsonSchema>; required: string[] };
  readOnly: boolean;
  scope: Scope | null;
  endpoint: Endpoint;
}

/** A request as a tool makes it. */
export interface ToolRequest {
  method: 'GET' | 'POST';
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** What tells which scopes a key reaches, for nothing. */
export const LIMITS: ToolRequest = { method: 'GET', url: '/v1/limits', headers: {} };

/** The argument for the `Idempotency-Key` of a POST. */
const IDEMPOTENCY_KEY = 'idempotency_key';

/**
 * Tools of every operation for data keys, from the definitions that requests are served by. Administration has none: what
 * makes keys and shows secrets is not for assistants. Pure.
 */
export function toolsOf(endpoints: readonly Endpoint[]): readonly Tool[] {
  return endpoints.filter(({ audience }) => audience === 'data').map(toolOf);
}

function toolOf(endpoint: Endpoint): Tool {
  const { operationId, summary, method, scope, deprecated, pathParameters, parameters, bodySchema } = endpoint;
  const properties: Record<string, JsonSchema> = {};
  const add = (name: string, schema: JsonSchema): void => {
    if (name in properties) throw new Error(`${operationId} has two arguments called ${name}`);
    properties[name] = schema;
  };
  for (const parameter of [...pathParameters, ...parameters]) add(parameter.name, argumentSchema(parameter));
  for (const [name, schema] of Object.entries((bodySchema?.properties ?? {}) as Record<string, JsonSchema>))
    add(name, plainSchema(schema));
  if (method === 'POST')
    add(IDEMPOTENCY_KEY, {
      type: 'string',
      maxLength: 255,
      description: 'The same text with the same arguments runs once, however often it is sent.',
    });
  return {
    name: operationId,
    title: summary,
    description: [
      describeOperation(endpoint),
      ...(scope === null ? [] : [`Scope: \`${scope}\`.`]),
      ...(deprecated ? ['Deprecated: prefer another tool.'] : []),
    ].join(' '),
    inputSchema: {
      type: 'object',
      properties,
      required: [
        ...pathParameters.map(({ name }) => name),
        ...parameters.flatMap(({ name, required }) => (required ? name : [])),
        ...((bodySchema?.required ?? []) as readonly string[]),
      ],
    },
    readOnly: method === 'GET',
    scope,
    endpoint,
  };
}

function argumentSchema({ schema, description, example, deprecated }: Parameter): JsonSchema {
  return {
    ...plainSchema(schema),
    description: example === undefined ? description : `${description} For example \`${example}\`.`,
    ...(deprecated ? { deprecated: true } : {}),
  };
}

/**
 * The request of a call. What is not right about the arguments is left for the service to say, as to anybody else: a name
 * that no parameter has becomes one that is refused. Pure.
 */
export function requestOf({ endpoint }: Tool, given: Readonly<Record<string, unknown>>): ToolRequest {
  const { method, bodySchema } = endpoint;
  const { [IDEMPOTENCY_KEY]: idempotencyKey, ...rest } = given;
  const values = method === 'POST' ? rest : given;
  const inPath = new Set(endpoint.pathParameters.map(({ name }) => name));
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textOf(values[name] ?? '-')),
  );
  const inBody: Record<string, unknown> = {};
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (inPath.has(name) || value === undefined || value === null) continue;
    if (bodySchema) inBody[name] = value;
    else query.set(name, textOf(value));
  }
  return {
    method,
    url: query.size === 0 ? path : `${path}?${query}`,
    headers: {
      ...(bodySchema ? { 'content-type': 'application/json' } : {}),
      ...(method === 'POST' && idempotencyKey !== undefined ? { 'idempotency-key': textOf(idempotencyKey) } : {}),
    },
    ...(bodySchema ? { body: JSON.stringify(inBody) } : {}),
  };
}

/** A value as a parameter is written: several with commas between them. */
const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
