import type { JsonSchema } from '#domain/json-schema.ts';
import { decodeValue } from '#http/decode-value.ts';
import type { Endpoint, Parameter } from '#http/endpoint.ts';
import { describeOperation, plainSchema } from '#openapi/build.ts';
import { describePaging, type Paging, pagingOf } from './paging.ts';

export type Tool = ReturnType<typeof toolOf>;

export const IDEMPOTENCY_KEY = 'idempotency_key';

/** A path that is not part of a URL, with the method before it. */
const ROUTE = /(?:\b(GET|POST) )?(?<![\w./])(?:\/v1)?(\/[a-z][\w{}/-]*)/g;

/** Replaces paths in a text with operation ids: `GET /cities` with `listCities`. */
export function toolNamer(endpoints: readonly Endpoint[]): (text: string) => string {
  const names = new Map(endpoints.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]));
  return (text) =>
    text.replace(ROUTE, (route, method = 'GET', path: string) => names.get(`${method} /v1${path}`) ?? route);
}

/**
 * Returns a tool for every operation that accepts data keys. Administration has none, because assistants must not
 * create keys or see secrets.
 */
export function toolsOf(endpoints: readonly Endpoint[]): readonly Tool[] {
  const ofData = endpoints.filter(({ audience }) => audience === 'data');
  const nameTools = toolNamer(ofData);
  return ofData.map((endpoint) => toolOf(endpoint, nameTools));
}

function toolOf(endpoint: Endpoint, nameTools: (text: string) => string) {
  const { operationId, summary, method, scope, deprecated, pathParameters, parameters, bodySchema } = endpoint;
  const paging = pagingOf(endpoint);
  const fields = Object.entries((bodySchema?.properties ?? {}) as Record<string, JsonSchema>);
  const properties = [
    ...[...pathParameters, ...parameters].map((each) => [each.name, argumentSchema(each, paging)] as const),
    ...fields.map(([name, schema]) => [name, plainSchema(schema)] as const),
    ...(paging.by === 'list' ? [['cursor', CURSOR] as const] : []),
    ...(method === 'POST' ? [[IDEMPOTENCY_KEY, IDEMPOTENCY] as const] : []),
  ];
  const note = deprecated ? ' Deprecated: prefer another tool.' : '';
  const inputSchema = {
    type: 'object' as const,
    properties: Object.fromEntries(properties),
    required: [
      ...[...pathParameters, ...parameters].flatMap(({ name, required }) => (required ? name : [])),
      ...((bodySchema?.required ?? []) as readonly string[]),
    ],
  };
  return {
    name: operationId,
    title: summary,
    description: nameTools(describeOperation(endpoint) + describePaging(paging, endpoint) + note),
    inputSchema: withNames(inputSchema, nameTools),
    readOnly: method === 'GET',
    scope,
    endpoint,
    paging,
    nameTools,
  };
}

const CURSOR = { type: 'string', minLength: 1, description: '`pagination.next_cursor` of the previous page.' };
const IDEMPOTENCY = {
  type: 'string',
  maxLength: 255,
  description: 'Idempotency key. Repeated calls with the same key and arguments run once.',
};

function argumentSchema({ name, schema, description, example, deprecated }: Parameter, paging: Paging): JsonSchema {
  const isPriced = paging.by === 'argument' && name === paging.name;
  const value = example === undefined || isPriced ? undefined : decodeValue(example, schema);
  return {
    ...plainSchema(schema),
    ...(isPriced && schema.type === 'integer' && { maximum: paging.most }),
    description: value === undefined ? description : `${description} For example \`${JSON.stringify(value)}\`.`,
    ...(deprecated && { deprecated: true }),
  };
}

/** Returns the response schema without `required` and `minItems`, because results omit null and empty values. */
export const resultSchemaOf = ({ endpoint, nameTools }: Tool): JsonSchema =>
  withNames(
    plainSchema(endpoint.response),
    nameTools,
    (keyword, value) =>
      // Names of properties are kept.
      (keyword === 'required' && Array.isArray(value)) || (keyword === 'minItems' && typeof value === 'number'),
  );

/** Replaces names in all descriptions. */
function withNames<Schema>(
  schema: Schema,
  nameTools: (text: string) => string,
  isLeftOut: (keyword: string, value: unknown) => boolean = () => false,
): Schema {
  const change = (keyword: string, value: unknown): unknown => {
    if (isLeftOut(keyword, value)) return undefined;
    return keyword === 'description' && typeof value === 'string' ? nameTools(value) : value;
  };
  return JSON.parse(JSON.stringify(schema, change)) as Schema;
}
