import type { JsonSchema } from '#domain/json-schema.ts';
import { parseJson } from '#domain/parse-json.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { explainRefused } from '#http/errors/refused-value.ts';
import { decodeListCursor, type ListPosition } from './list-cursor.ts';
import type { Paging } from './paging.ts';
import { IDEMPOTENCY_KEY, type Tool } from './tools.ts';

type Arguments = Readonly<Record<string, unknown>>;

export interface ToolRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

export type ToolCall = ReturnType<typeof planCall>;

/** The request that returns a key's scopes. It costs no units. */
export const LIMITS: ToolRequest = { method: 'GET', url: '/v1/limits', headers: {} };

/**
 * Plans a tool call. The service validates values as it does for every client, including unknown names; only calls
 * that cannot be expressed as a request are rejected here. Pure.
 * @throws ApiError `missing_parameter` for a missing path argument, `invalid_value` for a value of the wrong type,
 *   `invalid_cursor` for an invalid list cursor
 */
export function planCall(tool: Tool, given: unknown) {
  const { cursor, ...rest } = readArguments(tool, given);
  const isList = tool.paging.by === 'list' && cursor !== undefined;
  const from: ListPosition | null = isList ? decodeListCursor(cursor, tool.name, rest) : null;
  if (isList && !from) throw new ApiError('invalid_cursor', { param: 'cursor' });
  const args = isList || cursor === undefined ? rest : { ...rest, cursor };
  const { bounded, notRequested } = bound(tool.paging, args);
  return { request: requestOf(tool, bounded), args, from, notRequested };
}

/**
 * Returns the arguments with a value. Assistants send lists and objects as JSON text too, which is parsed. A URL has no
 * types, so a value of another wrong type could be read as a different value and charged.
 */
function readArguments({ inputSchema, endpoint }: Tool, given: unknown): Arguments {
  const named = typeof given === 'string' ? parseJson(given) : given;
  const read: Record<string, unknown> = {};
  const values = requireType('arguments', named, { type: 'object' }) as Arguments;
  const missing = endpoint.pathParameters.find(({ name }) => (values[name] ?? '') === '');
  if (missing)
    throw new ApiError('missing_parameter', { param: missing.name, message: `\`${missing.name}\` is required.` });
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    const schema = inputSchema.properties[name];
    const parsed =
      typeof value === 'string' && (schema?.type === 'array' || schema?.type === 'object') ? parseJson(value) : value;
    read[name] = schema ? requireType(name, parsed === undefined ? value : parsed, schema) : value;
  }
  return read;
}

function requireType(name: string, given: unknown, schema: JsonSchema): unknown {
  if (isOfType(given, schema)) return given;
  const accepts = (value: unknown): boolean => isOfType(value, schema);
  const message = explainRefused({ name, given, schema, notation: 'json', accepts });
  throw new ApiError('invalid_value', { param: name, message });
}

function isOfType(value: unknown, { type, items = {} }: JsonSchema): boolean {
  if (type === 'array') return Array.isArray(value) && value.every((each) => isOfType(each, items as JsonSchema));
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  const expected = type === 'integer' ? 'number' : type;
  return expected === undefined || typeof value === expected;
}

function bound(paging: Paging, args: Arguments): { bounded: Arguments; notRequested: Arguments } {
  if (paging.by !== 'argument') return { bounded: args, notRequested: {} };
  const { name, most } = paging;
  const given = Array.isArray(args[name]) ? [...new Set(args[name])] : Number(args[name] ?? 0);
  const isWithin = Array.isArray(given) ? given.length <= most : given <= most;
  if (isWithin) return { bounded: args, notRequested: {} };
  return Array.isArray(given)
    ? { bounded: { ...args, [name]: given.slice(0, most) }, notRequested: { [name]: given.slice(most) } }
    : { bounded: { ...args, [name]: most }, notRequested: { [name]: { requested: given, used: most } } };
}

function requestOf({ endpoint }: Tool, given: Arguments): ToolRequest {
  const { method, bodySchema, price } = endpoint;
  const { [IDEMPOTENCY_KEY]: idempotencyKey, ...rest } = given;
  const values = method === 'POST' ? rest : given;
  const inPath = new Set(endpoint.pathParameters.map(({ name }) => name));
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(values[name])));
  const others = Object.entries(values).filter(([name]) => !inPath.has(name));
  const query = new URLSearchParams(bodySchema ? [] : others.map(([name, value]) => [name, textOf(value)]));
  return {
    method,
    url: query.size === 0 ? path : `${path}?${query}`,
    headers: {
      // Requested compressed, because the byte limit for free responses counts compressed bytes.
      ...(method === 'GET' && price.units === 0 ? { 'accept-encoding': 'gzip' } : {}),
      ...(bodySchema ? { 'content-type': 'application/json' } : {}),
      ...(method === 'POST' && idempotencyKey !== undefined ? { 'idempotency-key': textOf(idempotencyKey) } : {}),
    },
    ...(bodySchema ? { body: JSON.stringify(Object.fromEntries(others)) } : {}),
  };
}

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
