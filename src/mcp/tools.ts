import type { JsonSchema } from '#domain/json-schema.ts';
import { cursorFingerprint } from '#src/http/cursor.ts';
import { decodeValue } from '#src/http/decode-value.ts';
import type { Endpoint, Parameter } from '#src/http/endpoint.ts';
import { cursorParameter } from '#src/http/pagination.ts';
import { describeOperation } from '#src/openapi/build.ts';
import { untrustedTexts } from '#src/openapi/fields.ts';
import { plainSchema } from '#src/openapi/schemas.ts';

export type Tool = ReturnType<typeof toolOf>;

export const IDEMPOTENCY_KEY = 'idempotency_key';

/** A path with the method before it, if it is not part of a URL. */
const ROUTE = /(?:\b(GET|POST) )?(?<![\w./])(?:\/v1)?(\/[a-z][\w{}/-]*)/g;

/** `GET /cities` becomes `listCities`. */
export function toolNamer(endpoints: readonly Endpoint[]): (text: string) => string {
  const names = new Map(endpoints.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]));
  return (text) =>
    text.replace(ROUTE, (route, method = 'GET', path: string) => names.get(`${method} /v1${path}`) ?? route);
}

/** Administration has no tools: assistants must not create keys or see secrets. */
export function toolsOf(endpoints: readonly Endpoint[]): readonly Tool[] {
  const ofData = endpoints.filter(({ audience }) => audience === 'data');
  const nameTools = toolNamer(ofData);
  return ofData.map((endpoint) => toolOf(endpoint, nameTools));
}

function toolOf(endpoint: Endpoint, nameTools: (text: string) => string) {
  const { operationId, summary, method, price, deprecated, bodySchema } = endpoint;
  const isPaged = isPagedHere(endpoint);
  const added: readonly Parameter[] = isPaged ? [cursorParameter] : [];
  const parameters = [...endpoint.pathParameters, ...endpoint.parameters, ...added];
  const schema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(parameters.map((each) => [each.name, argumentSchema(each, endpoint)])),
      ...(bodySchema?.properties ?? {}),
      ...(method === 'POST' && { [IDEMPOTENCY_KEY]: IDEMPOTENCY }),
    } as Readonly<Record<string, JsonSchema>>,
    required: [
      ...parameters.flatMap(({ name, required }) => (required ? name : [])),
      ...((bodySchema?.required ?? []) as readonly string[]),
    ],
  };
  const pages = isPaged ? ` Long lists are returned in pages${price.units > 0 ? ', each charged as a call' : ''}.` : '';
  const note = deprecated ? ' Deprecated: prefer another tool.' : '';
  return {
    name: operationId,
    title: summary,
    description: nameTools(describeOperation(endpoint) + pages + note),
    /** With the keywords of this service. */
    schema,
    inputSchema: JSON.parse(nameTools(JSON.stringify(plainSchema(schema)))) as typeof schema,
    readOnly: method === 'GET',
    endpoint,
    isPaged,
    /** Paths of texts in results that others than the service wrote. */
    untrusted: new Set(untrustedTexts(endpoint.response, operationId)),
    nameTools,
  };
}

const IDEMPOTENCY = {
  type: 'string',
  maxLength: 255,
  description: 'Idempotency key. Repeated calls with the same key and arguments run once.',
};

function argumentSchema(parameter: Parameter, endpoint: Endpoint): JsonSchema {
  const { description, example, deprecated } = parameter;
  const schema = limitRows(endpoint, parameter);
  // The values of an enumeration are their own examples.
  const isListed = schema.type === 'boolean' || 'enum' in { ...schema, ...(schema.items as JsonSchema | undefined) };
  const hasExample = example !== undefined && schema === parameter.schema && !isListed;
  const value = hasExample ? decodeValue(example, schema) : undefined;
  return {
    ...schema,
    description: value === undefined ? description : `${description} For example \`${JSON.stringify(value)}\`.`,
    ...(deprecated && { deprecated: true }),
  };
}

export const typeOf = ({ type, items }: JsonSchema): JsonSchema =>
  items ? { type, items: { type: (items as JsonSchema).type } } : { type };

/** Without `required` and `minItems`, because results omit null and empty values. */
export function resultSchemaOf({ endpoint, nameTools }: Tool): JsonSchema {
  const kept = (keyword: string, value: unknown) => (/^(required|minItems)$/.test(keyword) ? undefined : value);
  return JSON.parse(nameTools(JSON.stringify(plainSchema(endpoint.response), kept))) as JsonSchema;
}

/** Rows, if the price does not depend on them. A listing has up to 2,000 characters. */
const MAX_ROWS = 20;

/** Limits rows or ids to one step of the price, so that all rows fit a result. */
function limitRows({ price }: Endpoint, { name, schema }: Parameter): JsonSchema {
  const [limited, most] = 'per' in price ? [price.parameter, price.per] : ['limit', MAX_ROWS];
  if (name !== limited) return schema;
  return schema.type === 'array' ? { ...schema, maxItems: most } : { ...schema, maximum: most };
}

/** The endpoint returns all rows, and the tool as many as fit, with its own cursor. */
const isPagedHere = ({ price, method, paged, parameters, response }: Endpoint): boolean =>
  method === 'GET' &&
  !paged &&
  !('per' in price) &&
  !parameters.some(({ name }) => name === 'limit') &&
  hasRows(response);

function hasRows({ properties = {} }: JsonSchema): boolean {
  const { data } = properties as { data?: JsonSchema };
  return [data, ...Object.values((data?.properties ?? {}) as Record<string, JsonSchema>)].some(
    (schema) => schema?.type === 'array' && (schema.items as JsonSchema)?.type === 'object',
  );
}

export type Arguments = Readonly<Record<string, unknown>>;

/** For the same tool and arguments. Not signed, because a modified position gives no additional access. */
export const encodeOffset = (offset: number, tool: string, args: Arguments): string =>
  `${offset}.${cursorFingerprint('', `${tool} ${offset}`, args).toString('base64url')}`;

export function decodeOffset(cursor: unknown, tool: string, args: Arguments): number | null {
  const offset = Number.parseInt(String(cursor), 10);
  return cursor === encodeOffset(offset, tool, args) ? offset : null;
}
