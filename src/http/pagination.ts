import {
  arrayOf,
  boolean,
  component,
  integer,
  type JsonSchema,
  nullable,
  object,
  string,
} from '#domain/json-schema.ts';
import type { SortPosition } from '#domain/sort-position.ts';
import { isAdminKind } from '#src/accounts/keys.ts';
import type { Viewer } from '#src/metering/charge-statement.ts';
import { cursorFingerprint, encodeCursor, type List, type Page, type Pagination } from './cursor.ts';
import type { Call, MeteredEndpoint, Parameter, PresentCall } from './endpoint.ts';
import { ApiError } from './errors/api-error.ts';

/** Rows of lists are sorted by two numbers, and by a text if these are not unique. */

const FIXED_PAGE_SIZE = 50;
/** Above the page size of every plan, with which the charge compares `limit`. */
const MAX_LIMIT = 1_000;

export const limitParameter = {
  name: 'limit',
  schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: 10 },
  description: 'Number of rows per page, up to the page size of the plan.',
  example: '25',
} as const satisfies Parameter;

export const cursorParameter = {
  name: 'cursor',
  schema: { type: 'string' },
  description: 'Value of `next_cursor` from the previous page; keep all other parameters unchanged.',
} as const satisfies Parameter;

export const pageParameters = [limitParameter, cursorParameter] as const;

/** @param beside properties in addition to the rows */
export const pageSchema = (item: JsonSchema, beside: Readonly<Record<string, JsonSchema>> = {}): JsonSchema =>
  object({
    data: arrayOf(item),
    pagination: PAGINATION,
    ...beside,
  });

const PAGINATION = component(
  'Pagination',
  object({
    limit: integer,
    next_cursor: nullable(string),
    has_more: boolean,
    result_window_reached: boolean,
  }),
);

type PagedCall = Pick<
  Call<unknown, { readonly limit?: number; readonly cursor?: string }>,
  'query' | 'cursor' | 'services'
> & { caller: Viewer };

/** The page of a metered endpoint. @throws ApiError invalid_cursor */
export const pageOf = ({ list }: Pick<MeteredEndpoint, 'list'>, call: PresentCall): Page =>
  openPage(call, list?.(call) ?? { name: '', filters: {} });

/** @throws ApiError invalid_cursor of another list, other filters or another organization */
function openPage({ query, cursor, caller, services }: PagedCall, { name, filters }: List): Page {
  const fingerprint = cursorFingerprint(caller.organization, name, filters);
  if (cursor && !cursor.fingerprint.equals(fingerprint)) throw new ApiError('invalid_cursor', { param: 'cursor' });
  const limit = query.limit ?? FIXED_PAGE_SIZE;
  const offset = cursor?.offset ?? 0;
  // Admin endpoints have no paging depth; elsewhere, the charge refuses cursors beyond it.
  const depth = isAdminKind(caller.kind) ? Number.POSITIVE_INFINITY : caller.paging_depth;
  const size = Math.min(limit, depth - offset);
  return {
    size,
    after: cursor?.after ?? null,
    cut(found, positionOf) {
      const shown = found.slice(0, size);
      const last = shown.at(-1);
      const reached = offset + shown.length;
      const more = found.length > shown.length;
      // A loop that follows cursors ends at the paging depth instead of with `result_window_exceeded`.
      const ends = more && reached >= depth;
      const next = more && !ends && last ? { offset: reached, after: positionOf(last), fingerprint } : null;
      const pagination = {
        limit,
        next_cursor: next && encodeCursor(next, services.config.cursorSecrets),
        has_more: more && !ends,
        result_window_reached: ends,
      };
      return { shown, pagination };
    },
  };
}

export const wholeList = <Row>(data: readonly Row[]): { data: readonly Row[]; pagination: Pagination } => ({
  data,
  pagination: { limit: data.length, next_cursor: null, has_more: false, result_window_reached: false },
});

/** `position` has the values by which its list is sorted. */
export interface PositionedRow<Row> {
  row: Row;
  position: SortPosition;
}

/** @param read rows after a position */
export async function pageOfRows<Row>(
  call: PagedCall,
  list: List,
  read: (size: number, after: SortPosition | null) => Promise<readonly PositionedRow<Row>[]>,
): Promise<{ data: Row[]; pagination: Pagination }> {
  const page = openPage(call, list);
  const { shown, pagination } = page.cut(await read(page.size + 1, page.after), ({ position }) => position);
  return { data: shown.map(({ row }) => row), pagination };
}

const OPEN = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** Rows are JSON bytes, each in one or more parts. */
export function listBytes(rows: readonly (readonly Uint8Array[])[], beside: object): Uint8Array[] {
  const bytes: Uint8Array[] = [OPEN];
  for (const [index, row] of rows.entries()) {
    if (index > 0) bytes.push(COMMA);
    bytes.push(...row);
  }
  bytes.push(Buffer.from(`],${JSON.stringify(beside).slice(1)}`));
  return bytes;
}
