import { ApiError } from '#http/errors/api-error.ts';
import { decodeListCursor, type ListPosition } from './list-cursor.ts';
import type { Paging } from './paging.ts';
import { IDEMPOTENCY_KEY, type Tool } from './tools.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The HTTP request for a tool call. */
export interface ToolRequest {
  method: 'GET' | 'POST';
  /** Path and query string. */
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** A tool call: its request, and the arguments on which its result depends. */
export type ToolCall = ReturnType<typeof planCall>;

/** The request that returns a key's scopes. It costs no units. */
export const LIMITS: ToolRequest = { method: 'GET', url: '/v1/limits', headers: {} };

/**
 * Plans a tool call. The service validates arguments as it does for every client, including unknown names; only calls
 * that cannot be expressed as a request are rejected here. Pure.
 * @returns the request; the arguments without the list cursor; `from`, the start of the requested page in a list, null
 * for the first page or if the endpoint does the paging; and the argument values that exceed the limit
 * @throws ApiError `missing_parameter` for a missing path argument, `invalid_cursor` for an invalid list cursor
 */
export function planCall(tool: Tool, given: Arguments) {
  const missing = tool.endpoint.pathParameters.find(({ name }) => (given[name] ?? '') === '');
  if (missing)
    throw new ApiError('missing_parameter', { param: missing.name, message: `\`${missing.name}\` is required.` });
  const { args, from } = tool.paging.by === 'list' ? readListCursor(tool.name, given) : { args: given, from: null };
  const { bounded, notRequested } = bound(tool.paging, args);
  return { request: requestOf(tool, bounded), args, from, notRequested };
}

function readListCursor(tool: string, { cursor, ...args }: Arguments): { args: Arguments; from: ListPosition | null } {
  if (cursor === undefined || cursor === null) return { args, from: null };
  const from = decodeListCursor(cursor, tool, args);
  if (!from) throw new ApiError('invalid_cursor', { param: 'cursor' });
  return { args, from };
}

/** Limits the requested rows or values to the number that the result can show. */
function bound(paging: Paging, args: Arguments): { bounded: Arguments; notRequested: Arguments } {
  if (paging.by === 'limit') {
    const requested = Number(args.limit ?? 0);
    if (Number.isSafeInteger(requested) && requested > paging.most)
      return {
        bounded: { ...args, limit: paging.most },
        notRequested: { limit: { requested, used: paging.most } },
      };
  }
  if (paging.by === 'argument') {
    const { name, most } = paging;
    const values = [...new Set(listOf(args[name]))];
    if (values.length > most)
      return { bounded: { ...args, [name]: values.slice(0, most) }, notRequested: { [name]: values.slice(most) } };
  }
  return { bounded: args, notRequested: {} };
}

/** Returns the values in a list argument, which can also be a comma-separated string. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(',') : [];
}

function requestOf({ endpoint }: Tool, given: Arguments): ToolRequest {
  const { method, bodySchema, price } = endpoint;
  const { [IDEMPOTENCY_KEY]: idempotencyKey, ...rest } = given;
  const values = method === 'POST' ? rest : given;
  const inPath = new Set(endpoint.pathParameters.map(({ name }) => name));
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(values[name])));
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
      // Requested compressed, because the byte limit for free responses counts compressed bytes.
      ...(method === 'GET' && price.units === 0 ? { 'accept-encoding': 'gzip' } : {}),
      ...(bodySchema ? { 'content-type': 'application/json' } : {}),
      ...(method === 'POST' && idempotencyKey !== undefined ? { 'idempotency-key': textOf(idempotencyKey) } : {}),
    },
    ...(bodySchema ? { body: JSON.stringify(inBody) } : {}),
  };
}

/** Serializes a parameter value. Lists are comma-separated. */
const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
