import type { CallToolResult } from '@modelcontextprotocol/server';
import { errorType } from '#domain/errors.ts';
import { parseJson } from '#domain/parse-json.ts';
import { type ApiError, messageOf } from '#src/http/errors/api-error.ts';
import type { InjectedResponse } from '#src/http/inject.ts';
import type { ToolCall } from './tool-call.ts';
import { encodeOffset, type Tool } from './tools.ts';

export function resultOf(tool: Tool, { args, offset }: ToolCall, { headers, text }: InjectedResponse) {
  const body = parseObject(text);
  const { value, shortened, page } = tool.isPaged ? compactPage(body, offset) : { ...compact(body), page: null };
  const untrusted = [...pathsIn(value)].filter((path) => tool.untrusted.has(path));
  const left: Record<string, unknown> = {};
  if (shortened.length > 0) left.fields = shortened;
  if (page && page.shown < page.total) {
    const { list, shown, total } = page;
    const end = offset + shown;
    left.rows = { list, before: offset, after: Math.max(0, total - end) };
    const more = end < total && { next_cursor: encodeOffset(end, tool.name, args) };
    value.pagination = { limit: shown, total, ...more, has_more: end < total, result_window_reached: false };
  }
  if (Object.keys(left).length > 0) value.left_out = left;
  const [units, unitsLeft] = [headers['x-request-units'], headers['x-quota-remaining']];
  if (units !== undefined) value.units = Number(units);
  if (unitsLeft !== undefined) value.units_left_this_month = Number(unitsLeft);
  // First, so that a model reads the mark before the texts.
  const marked = untrusted.length === 0 ? value : { untrusted_fields: untrusted, ...value };
  return { ...contentOf(marked), ...metaOf(headers) };
}

/** Returns the paths of all fields. Lists add nothing to a path. */
function pathsIn(value: unknown, path = '', paths = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const each of value) pathsIn(each, path, paths);
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) pathsIn(each, path === '' ? name : `${path}.${name}`, paths);
  return paths.add(path);
}

/** Returns the value also as JSON, for clients without support for structured content. */
export const contentOf = (value: Record<string, unknown>): CallToolResult => ({
  content: [textOf(value)],
  structuredContent: value,
});

/** Errors do not match the schema of the result. */
export function errorResultOf({ status, headers, text }: InjectedResponse, nameTools: Tool['nameTools']) {
  const { error, ...body } = parseObject(text) as { error?: { message: string } };
  const named = error && { error: { ...error, message: nameTools(error.message) } };
  const wait = headers['retry-after'];
  const value = { status, ...body, ...named, ...(wait !== undefined && { retry_after_seconds: Number(wait) }) };
  return { content: [textOf(value)], isError: true, ...metaOf(headers) } satisfies CallToolResult;
}

/** Returns the result of a call for which no request was sent. */
export function refusalOf(error: ApiError, nameTools: Tool['nameTools']) {
  const { code, status, param } = error;
  const body = { type: errorType(code), code, message: messageOf(error), param };
  return errorResultOf({ status, headers: {}, text: JSON.stringify({ error: body }) }, nameTools);
}

const textOf = (value: object) => ({ type: 'text' as const, text: JSON.stringify(value) });
const metaOf = (headers: InjectedResponse['headers']) => ({ _meta: { request_id: headers['x-request-id'] } });

export function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

const MAX_TEXT = 280;
/**
 * In characters. With cursor and `left_out`, a result is below 40,000, because longer ones displace the
 * conversation.
 */
const MAX_PAGE = 39_000;

type Body = Readonly<Record<string, unknown>>;

/** Omits empty values, truncates texts in lists, and keeps the first of several URLs. */
function compact(body: Body) {
  const shortened = new Set<string>();
  const value = (shorten(body, '', false, shortened) ?? {}) as Record<string, unknown>;
  // An empty result keeps its empty `data`.
  if ('data' in body) value.data ??= Array.isArray(body.data) ? [] : {};
  return { value, shortened: [...shortened] };
}

/** Keeps as many rows of the longest list as fit, and at least one, so that paging advances. */
export function compactPage(body: Body, offset: number) {
  const { data } = body;
  const fields = Array.isArray(data) ? { '': data } : ((data ?? {}) as Body);
  const [longest] = Object.entries(fields)
    .flatMap(([name, rows]) => (isList(name, rows) ? [{ name, rows, size: JSON.stringify(rows).length }] : []))
    .toSorted((a, b) => b.size - a.size);
  if (longest === undefined) return { ...compact(body), page: null };
  const { name, rows } = longest;
  const withRows = (shown: unknown[]): Body => ({ ...body, data: name === '' ? shown : { ...fields, [name]: shown } });
  const total = rows.length;
  let room = MAX_PAGE - JSON.stringify(compact(withRows([])).value).length;
  let end = offset;
  for (; end < total; end++) {
    room -= JSON.stringify(compact({ rows: [rows[end]] }).value.rows ?? [[]]).length;
    if (room < 0 && end > offset) break;
  }
  const page = { list: name === '' ? 'data' : `data.${name}`, total, shown: end - offset };
  return { ...compact(withRows(rows.slice(offset, end))), page };
}

const isList = (name: string, rows: unknown): rows is unknown[] =>
  Array.isArray(rows) && (name === '' || typeof rows[0] === 'object');

/** @param name of the field, or of the list with the item */
function shorten(value: unknown, name: string, inList: boolean, shortened: Set<string>): unknown {
  if (typeof value === 'string') {
    if (!inList || value.length <= MAX_TEXT || isAddress(value)) return value || undefined;
    shortened.add(name);
    return `${value.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
  }
  if (Array.isArray(value)) {
    const list = value.map((each) => shorten(each, name, true, shortened)).filter((each) => each !== undefined);
    if (list.length < 2 || !list.every(isAddress)) return list.length === 0 ? undefined : list;
    shortened.add(name);
    return list.slice(0, 1);
  }
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const entries = Object.entries(value)
    .map(([field, each]) => [field, shorten(each, field, inList, shortened)] as const)
    .filter(([, kept]) => kept !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && /^https?:\/\//.test(value);
