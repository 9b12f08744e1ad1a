import { ApiError } from '#domain/errors.ts';
import { cursorFingerprint, encodeCursor } from '#http/cursor.ts';
import type { Call, Parameter } from '#http/endpoint.ts';

/** Rows a page of an organization's lists has. */
export const PAGE_SIZE = 50;

export const cursorParameter: Parameter = {
  name: 'cursor',
  schema: { type: 'string', minLength: 1 },
  description: '`next_cursor` of the page before, with all other parameters as they were.',
};

/** The position of a row in a list that is sorted by two numbers, latest first. */
export type Position = readonly [number, number];

export interface ListPage<Row> {
  data: Row[];
  pagination: { limit: number; next_cursor: string | null; has_more: boolean; result_window_reached: boolean };
}

/**
 * A page of an organization's list: `read` is asked for one row more than the page has, from behind `after`.
 * @throws ApiError invalid_cursor when the cursor belongs to another list or other filters
 */
export async function listPage<Row>(
  call: Pick<Call, 'caller' | 'services' | 'cursor'>,
  list: string,
  filters: Readonly<Record<string, unknown>>,
  read: (size: number, after: Position | null) => Promise<{ row: Row; position: Position }[]>,
): Promise<ListPage<Row>> {
  const fingerprint = cursorFingerprint(call.caller.organization, list, filters);
  if (call.cursor && !call.cursor.fingerprint.equals(fingerprint))
    throw new ApiError('invalid_cursor', { param: 'cursor' });
  const found = await read(PAGE_SIZE + 1, call.cursor?.after ?? null);
  const shown = found.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  const more = found.length > shown.length;
  const offset = (call.cursor?.offset ?? 0) + shown.length;
  const next =
    more && last
      ? encodeCursor({ offset, after: last.position, fingerprint }, call.services.config.cursorSecrets)
      : null;
  return {
    data: shown.map(({ row }) => row),
    pagination: { limit: PAGE_SIZE, next_cursor: next, has_more: more, result_window_reached: false },
  };
}
