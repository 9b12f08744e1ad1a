import type { CallToolResult } from '@modelcontextprotocol/server';
import { errorType } from '#domain/errors.ts';
import { parseJson } from '#domain/parse-json.ts';
import { type ApiError, messageOf } from '#http/errors/api-error.ts';
import type { InjectedResponse } from '#http/inject.ts';
import { compact, compactPage } from './compact.ts';
import { encodeOffset } from './paging.ts';
import type { ToolCall } from './tool-call.ts';
import type { Tool } from './tools.ts';

export function resultOf(tool: Tool, { args, offset }: ToolCall, { headers, text }: InjectedResponse) {
  const body = parseObject(text);
  const { value, shortened, page } = tool.isPaged ? compactPage(body, offset) : { ...compact(body), page: null };
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
  return { ...contentOf(value), ...metaOf(headers) };
}

/** Returns a result as structured content, and as JSON for clients without support for it. */
export const contentOf = (value: Record<string, unknown>): CallToolResult => ({
  content: [textOf(value)],
  structuredContent: value,
});

/** The result is not structured, because errors do not match the schema of the result. */
export function errorResultOf({ status, headers, text }: InjectedResponse, nameTools: Tool['nameTools']) {
  const { error, ...body } = parseObject(text) as { error?: { message: string } };
  const named = error && { error: { ...error, message: nameTools(error.message) } };
  const wait = headers['retry-after'];
  const value = { status, ...body, ...named, ...(wait !== undefined && { retry_after_seconds: Number(wait) }) };
  return { content: [textOf(value)], isError: true, ...metaOf(headers) } satisfies CallToolResult;
}

/** Of a call for which no request was sent. */
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
