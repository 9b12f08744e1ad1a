import type { JsonSchema } from '#domain/json-schema.ts';
import { decodeValue } from '#http/decode-value.ts';
import type { Endpoint, Parameter } from '#http/endpoint.ts';
import { describeOperation, plainSchema } from '#openapi/build.ts';
import { describePaging, type Paging, pagingOf } from './paging.ts';

export type Tool = ReturnType<typeof toolOf>;

export const IDEMPOTENCY_KEY = 'idempotency_key';

/** A path that is not part of a URL, and the method if one precedes the path. */
const ROUTE = /(?:\b(GET|POST) )?(?<![\w./])(?:\/v1)?(\/[a-z][\w{}/-]*)/g;

/** Replaces endpoint paths in a text with operation ids, for example `GET /cities` with `listCities`. Pure. */
export function toolNamer(endpoints: readonly Endpoint[]): (text: string) => string {
  const names = new Map(endpoints.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]));
  return (text) =>
    text.replace(
      ROUTE,
      (route, method: string | undefined, path: string) => names.get(`${method ?? 'GET'} /v1${path}`) ?? route,
    );
}

/**
 * Returns a tool for every operation that accepts data keys, from the same definitions that serve requests.
 * Administration operations have no tools, because assistants must not create keys or see secrets. Pure.
 */
export function toolsOf(endpoints: readonly Endpoint[]): readonly Tool[] {
  const ofData = endpoints.filter(({ audience }) => audience === 'data');
  const nameTools = toolNamer(ofData);
  return ofData.map((endpoint) => toolOf(endpoint, nameTools));
}

function toolOf(endpoint: Endpoint, nameTools: (text: string) => string) {
  const { operationId, summary, method, scope, deprecated, pathParameters, parameters, bodySchema } = endpoint;
  const paging = pagingOf(endpoint);
  const properties: Record<string, JsonSchema> = {};
  const add = (name: string, schema: JsonSchema): void => {
    if (name in properties) throw new Error(`${operationId} has two arguments named ${name}`);
    properties[name] = schema;
  };
  for (const parameter of [...pathParameters, ...parameters]) add(parameter.name, argumentSchema(parameter, paging));
  for (const [name, schema] of Object.entries((bodySchema?.properties ?? {}) as Record<string, JsonSchema>))
    add(name, plainSchema(schema));
  if (paging.by === 'list')
    add('cursor', { type: 'string', minLength: 1, description: '`pagination.next_cursor` of the previous page.' });
  if (method === 'POST')
    add(IDEMPOTENCY_KEY, {
      type: 'string',
      maxLength: 255,
      description: 'Idempotency key. Repeated calls with the same key and arguments run once.',
    });
  return {
    name: operationId,
    title: summary,
    description: nameTools(
      [
        describeOperation(endpoint),
        ...describePaging(paging, endpoint),
        ...(deprecated ? ['Deprecated: prefer another tool.'] : []),
      ].join(' '),
    ),
    inputSchema: {
      type: 'object' as const,
      properties: changeKeywords(properties, (keyword, value) =>
        keyword === 'description' && typeof value === 'string' ? nameTools(value) : value,
      ),
      required: [
        ...pathParameters.map(({ name }) => name),
        ...parameters.flatMap(({ name, required }) => (required ? name : [])),
        ...((bodySchema?.required ?? []) as readonly string[]),
      ],
    },
    readOnly: method === 'GET',
    scope,
    endpoint,
    paging,
    nameTools,
  };
}

function argumentSchema({ name, schema, description, example, deprecated }: Parameter, paging: Paging): JsonSchema {
  const isPriced = paging.by === 'argument' && name === paging.name;
  const value = example === undefined || isPriced ? undefined : decodeValue(example, schema);
  return {
    ...plainSchema(schema),
    ...(isPriced && schema.type === 'integer' ? { maximum: paging.most } : {}),
    description: value === undefined ? description : `${description} For example \`${JSON.stringify(value)}\`.`,
    ...(deprecated ? { deprecated: true } : {}),
  };
}

/**
 * Returns the schema of a tool's result: the response schema of the operation without `required` and `minItems`, because
 * results omit null and empty values. Pure.
 */
export function resultSchemaOf({ endpoint, nameTools }: Tool): JsonSchema {
  return changeKeywords(plainSchema(endpoint.response), (keyword, value) => {
    // Properties of these names are kept.
    if (keyword === 'required' && Array.isArray(value)) return undefined;
    if (keyword === 'minItems' && typeof value === 'number') return undefined;
    return keyword === 'description' && typeof value === 'string' ? nameTools(value) : value;
  });
}

const changeKeywords = <Schema>(schema: Schema, change: (keyword: string, value: unknown) => unknown): Schema =>
  JSON.parse(JSON.stringify(schema, change)) as Schema;
