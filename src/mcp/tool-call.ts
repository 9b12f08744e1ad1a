import type { JsonSchema } from '#domain/json-schema.ts';
import { memoize } from '#domain/memoize.ts';
import { parseJson } from '#domain/parse-json.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { explainRefused } from '#src/http/errors/refused-value.ts';
import { explainMissing } from '#src/http/errors/unknown-name.ts';
import type { InjectedRequest } from '#src/http/inject.ts';
import { createValidator } from '#src/http/schema.ts';
import { type Arguments, decodeOffset, IDEMPOTENCY_KEY, type Tool, typeOf } from './tools.ts';

export type ToolCall = ReturnType<typeof planCall>;

export const LIMITS: InjectedRequest = { method: 'GET', url: '/v1/limits', headers: {} };

/**
 * The service validates values, as for every client; only calls that no request can express are rejected here.
 * @throws ApiError `missing_parameter` (path argument), `invalid_value` (type), `invalid_cursor` (list)
 */
export function planCall(tool: Tool, given: unknown) {
  const all = readArguments(tool, given);
  if (!tool.isPaged || all.cursor === undefined) return { args: all, offset: 0, request: requestOf(tool, all) };
  const { cursor, ...args } = all;
  const offset = decodeOffset(cursor, tool.name, args);
  if (offset === null) throw new ApiError('invalid_cursor', { param: 'cursor' });
  return { args, offset, request: requestOf(tool, args) };
}

/**
 * Assistants also send lists and objects as JSON text. A URL has no types, so a value of another wrong type could be
 * read as a different value and charged.
 */
function readArguments({ schema: { properties }, endpoint }: Tool, given: unknown): Arguments {
  const read: Record<string, unknown> = {};
  const values = requireType('arguments', given, { type: 'object' }) as Arguments;
  const missing = endpoint.pathParameters.find(({ name }) => (values[name] ?? '') === '')?.name;
  if (missing !== undefined) {
    const unknown = Object.keys(values).filter((name) => !Object.hasOwn(properties, name));
    const message = explainMissing(missing, properties, unknown, 'json');
    throw new ApiError('missing_parameter', { param: missing, message });
  }
  for (const [name, value] of Object.entries(values)) {
    const schema = properties[name];
    if (value !== undefined && value !== null) read[name] = schema ? requireType(name, value, schema) : value;
  }
  return read;
}

const typeCheck = memoize((schema) => createValidator(JSON.parse(schema) as JsonSchema));

/** Numbers of rows are also limited. */
function requireType(name: string, given: unknown, schema: JsonSchema): unknown {
  const { type, maxItems, maximum } = schema;
  const faultsOf = typeCheck(JSON.stringify({ ...typeOf(schema), maxItems, maximum }));
  const accepts = (value: unknown): boolean => faultsOf(value) === null;
  const isStructured = type === 'array' || type === 'object';
  const value = typeof given === 'string' && isStructured ? (parseJson(given) ?? given) : given;
  if (accepts(value)) return value;
  const message = explainRefused({ name, given: value, schema, notation: 'json', accepts });
  throw new ApiError('invalid_value', { param: name, message });
}

function requestOf({ endpoint }: Tool, given: Arguments): InjectedRequest {
  const { method, path, pathParameters, bodySchema, price } = endpoint;
  const { [IDEMPOTENCY_KEY]: idempotencyKey, ...values } = given;
  const inPath = new Set(pathParameters.map(({ name }) => name));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(values[name])));
  const others = Object.entries(values).filter(([name]) => !inPath.has(name));
  const query = new URLSearchParams(bodySchema ? [] : others.map(([name, value]) => [name, textOf(value)]));
  return {
    method,
    url: query.size === 0 ? filled : `${filled}?${query}`,
    headers: {
      // The limit for free responses counts compressed bytes.
      ...(method === 'GET' && price.units === 0 && { 'accept-encoding': 'gzip' }),
      ...(bodySchema && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': textOf(idempotencyKey) }),
    },
    ...(bodySchema && { body: JSON.stringify(Object.fromEntries(others)) }),
  };
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
