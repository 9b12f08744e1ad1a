import type { CallToolResult } from '@modelcontextprotocol/server';
import { parseJson } from '#domain/parse-json.ts';
import { compact, compactPage, type Page } from './compact.ts';
import { encodeListCursor } from './list-cursor.ts';
import type { ToolCall } from './tool-call.ts';
import type { Tool } from './tools.ts';

export interface ToolResponse {
  status: number;
  /** Headers by lowercase name. */
  headers: Readonly<Record<string, string | undefined>>;
  text: string;
}

/** @throws ApiError `invalid_cursor` if the length of a list has changed between two pages */
export function resultOf(tool: Tool, call: ToolCall, { headers, text }: ToolResponse): CallToolResult {
  const body = parseObject(text);
  const { value, shortened, page } =
    tool.paging.by === 'list' ? compactPage(body, call.from) : { ...compact(body), page: null };
  const left = {
    ...(page && page.shown < page.total ? { rows: rowsAround(page) } : {}),
    ...call.notRequested,
    ...(shortened.length > 0 ? { fields: shortened } : {}),
  };
  const units = numberOf(headers['x-request-units']);
  const unitsLeft = numberOf(headers['x-quota-remaining']);
  const structuredContent = {
    ...value,
    ...(page && page.shown < page.total ? { pagination: paginationOf(page, tool, call) } : {}),
    ...(Object.keys(left).length > 0 ? { left_out: left } : {}),
    ...(units === undefined ? {} : { units }),
    ...(unitsLeft === undefined ? {} : { units_left_this_month: unitsLeft }),
  };
  return { ...contentOf(structuredContent), ...metaOf(headers) };
}

/** Returns a result as structured content, and as JSON for clients without support for structured content. Pure. */
export const contentOf = (value: Record<string, unknown>): CallToolResult => ({
  content: [textOf(value)],
  structuredContent: value,
});

/** Without structured content, because errors do not match the schema of the result. Pure. */
export function errorResultOf(
  { status, headers, text }: ToolResponse,
  nameTools: (text: string) => string,
): CallToolResult {
  const { error, ...body } = parseObject(text) as { error?: { message: string } };
  const value = {
    status,
    ...body,
    ...(error ? { error: { ...error, message: nameTools(error.message) } } : {}),
    retry_after_seconds: numberOf(headers['retry-after']),
  };
  return { content: [textOf(value)], isError: true, ...metaOf(headers) };
}

const rowsAround = ({ list, offset, shown, total }: Page) => ({ list, before: offset, after: total - offset - shown });

function paginationOf(page: Page, tool: Tool, { args }: ToolCall): object {
  const offset = page.offset + page.shown;
  const more = offset < page.total;
  return {
    limit: page.shown,
    total: page.total,
    ...(more ? { next_cursor: encodeListCursor({ ...page, offset }, tool.name, args) } : {}),
    has_more: more,
    result_window_reached: false,
  };
}

const textOf = (value: object): { type: 'text'; text: string } => ({ type: 'text', text: JSON.stringify(value) });

const metaOf = (headers: ToolResponse['headers']): { _meta: { request_id: string | undefined } } => ({
  _meta: { request_id: headers['x-request-id'] },
});

const numberOf = (header: string | undefined): number | undefined =>
  header === undefined ? undefined : Number(header);

export function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
