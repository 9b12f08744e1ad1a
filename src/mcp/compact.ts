import { ApiError } from '#http/errors/api-error.ts';
import type { ListPosition } from './list-cursor.ts';

const MAX_TEXT = 280;
/**
 * Maximum number of characters in a page. With the cursor and `left_out`, a result stays below 40,000 characters,
 * because longer results displace the conversation from an assistant's context.
 */
export const MAX_PAGE = 39_000;

type Body = Readonly<Record<string, unknown>>;

export interface Page extends ListPosition {
  shown: number;
}

/**
 * Shortens a response body: removes null and empty values, truncates long strings other than URLs in lists, and keeps
 * only the first URL in a list of URLs. Pure.
 */
export function compact(body: Body) {
  const shortened = new Set<string>();
  const value = (shorten(body, '', false, shortened) ?? {}) as Record<string, unknown>;
  // An empty result keeps its empty `data`.
  if ('data' in body) value.data ??= Array.isArray(body.data) ? [] : {};
  return { value, shortened: [...shortened] };
}

/**
 * Shortens a response body to as many rows of its longest list as fit, starting at a position. Every page has at least
 * one row, so that paging advances. Pure.
 * @throws ApiError `invalid_cursor` if the length of the list has changed since the position was returned
 */
export function compactPage(body: Body, from: ListPosition | null) {
  const list = from?.list ?? longestList(body);
  if (list === null) return { ...compact(body), page: null };
  const rows = rowsOf(body, list);
  const total = rows?.length ?? 0;
  if (!rows || (from && from.total !== total))
    throw new ApiError('invalid_cursor', { param: 'cursor', message: CHANGED });
  const offset = from?.offset ?? 0;
  let room = MAX_PAGE - JSON.stringify(compact(withRows(body, list, [])).value).length;
  let end = offset;
  for (; end < total; end++) {
    const { value } = compact({ rows: [rows[end]] });
    room -= JSON.stringify(value.rows ?? [[]]).length;
    if (room < 0 && end > offset) break;
  }
  return {
    ...compact(withRows(body, list, rows.slice(offset, end))),
    page: { list, offset, total, shown: end - offset },
  };
}

const CHANGED = 'The list has changed since the previous page. Start again without `cursor`.';

/**
 * @param name of the field, or of the list that contains the item
 * @param shortened collects the names of shortened fields
 */
function shorten(value: unknown, name: string, inList: boolean, shortened: Set<string>): unknown {
  if (typeof value === 'string') {
    if (!inList || value.length <= MAX_TEXT || isAddress(value)) return value || undefined;
    shortened.add(name);
    return `${value.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
  }
  if (Array.isArray(value)) {
    const list = value.map((each) => shorten(each, name, true, shortened)).filter((each) => each !== undefined);
    if (list.length === 0) return undefined;
    if (list.length === 1 || !list.every(isAddress)) return list;
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

const DATA = 'data';

/** Returns the name of the list with the most characters: `data`, or a list of objects inside it (`data.cells`). */
function longestList(body: Body): string | null {
  const { data } = body;
  const names = Array.isArray(data)
    ? [DATA]
    : Object.entries(data ?? {}).flatMap(([name, value]) => (hasObjects(value) ? [`${DATA}.${name}`] : []));
  const sized = names.map((name) => ({ name, size: JSON.stringify(rowsOf(body, name)).length }));
  return sized.toSorted((a, b) => b.size - a.size)[0]?.name ?? null;
}

const hasObjects = (value: unknown): boolean => Array.isArray(value) && typeof value[0] === 'object';

const fieldOf = (list: string): string => list.slice(DATA.length + 1);

function rowsOf({ data }: Body, list: string): readonly unknown[] | null {
  const rows = list === DATA ? data : new Map(Object.entries(data ?? {})).get(fieldOf(list));
  return Array.isArray(rows) ? rows : null;
}

function withRows(body: Body, list: string, rows: readonly unknown[]): Body {
  return { ...body, data: list === DATA ? rows : { ...(body.data as object), [fieldOf(list)]: rows } };
}
