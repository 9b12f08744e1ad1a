import { ApiError } from '#domain/errors.ts';
import { arrayOf, boolean, integer, type JsonSchema, nullable, object, string } from '#domain/json-schema.ts';
import type { SortPosition } from '#domain/sort-position.ts';
import { cursorFingerprint, encodeCursor } from './cursor.ts';
import type { Call, Parameter } from './endpoint.ts';

/**
 * The one way of paging. A list takes `pageParameters` (or `cursorParameter` alone: its pages have `FIXED_PAGE_SIZE` rows),
 * answers `pageSchema`, and builds its pages with `pageOfRows`, or with `openPage` and `listBytes` where rows are JSON
 * bytes already. Rows are sorted by two numbers; the numbers of the last row make the cursor.
 */

/** Rows of a page whose size the caller does not choose. */
const FIXED_PAGE_SIZE = 50;
/** More than the page size of any plan: the charge checks `limit` against the caller's own. */
const MAX_LIMIT = 1_000;

const limitParameter = {
  name: 'limit',
  schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: 10 },
  description: "Rows a page, at most the plan's page size.",
  example: '25',
} as const satisfies Parameter;

export const cursorParameter = {
  name: 'cursor',
  schema: { type: 'string', minLength: 1 },
  description: '`next_cursor` of the page before, with all other parameters as they were.',
} as const satisfies Parameter;

/** Parameters of a list whose page size the caller chooses. */
export const pageParameters = [limitParameter, cursorParameter] as const;

/** The envelope of a list, with what stands beside the rows. */
export const pageSchema = (item: JsonSchema, beside: Readonly<Record<string, JsonSchema>> = {}): JsonSchema =>
  object({
    data: arrayOf(item),
    pagination: object({
      limit: integer,
      next_cursor: nullable(string),
      has_more: boolean,
      result_window_reached: boolean,
    }),
    ...beside,
  });

export interface Pagination {
  limit: number;
  next_cursor: string | null;
  has_more: boolean;
  result_window_reached: boolean;
}

/** What a cursor belongs to, beside the caller's organization: a list in one order, with its filters. */
export interface List {
  name: string;
  filters: Readonly<Record<string, unknown>>;
}

/** A page that is about to be read. */
export interface Page {
  /** Rows to show at most: the page size, or what the paging depth leaves of it. Read one more to know whether more exist. */
  size: number;
  /** Position of the last row of the page before. */
  after: SortPosition | null;
  /** @param last position of the last row shown */
  pagination(rows: { shown: number; more: boolean; last: SortPosition | null }): Pagination;
}

type PagedCall = Pick<
  Call<unknown, { readonly limit?: number; readonly cursor?: string }>,
  'query' | 'cursor' | 'caller' | 'services'
>;

/**
 * Opens the page that a call asks for.
 * @throws ApiError invalid_cursor when the cursor belongs to another list, other filters or another organization
 */
export function openPage({ query, cursor, caller, services }: PagedCall, { name, filters }: List): Page {
  const fingerprint = cursorFingerprint(caller.organization, name, filters);
  if (cursor && !cursor.fingerprint.equals(fingerprint)) throw new ApiError('invalid_cursor', { param: 'cursor' });
  const limit = query.limit ?? FIXED_PAGE_SIZE;
  const offset = cursor?.offset ?? 0;
  // Administration is not bound by the plan's depth. A cursor beyond the depth never comes here: the charge refuses it.
  const depth = caller.kind === 'admin' ? Number.POSITIVE_INFINITY : caller.paging_depth;
  return {
    size: Math.min(limit, depth - offset),
    after: cursor?.after ?? null,
    pagination({ shown, more, last }) {
      const reached = offset + shown;
      const windowReached = more && reached >= depth;
      // No cursor at the depth: following it could only be refused.
      const next = more && !windowReached && last ? { offset: reached, after: last, fingerprint } : null;
      return {
        limit,
        next_cursor: next && encodeCursor(next, services.config.cursorSecrets),
        has_more: more,
        result_window_reached: windowReached,
      };
    },
  };
}

/** A list that comes whole: one page, which has no other. */
export const wholeList = <Row>(data: readonly Row[]): { data: readonly Row[]; pagination: Pagination } => ({
  data,
  pagination: { limit: data.length, next_cursor: null, has_more: false, result_window_reached: false },
});

/** A row of a page with the two numbers that it is sorted by. */
export interface PositionedRow<Row> {
  row: Row;
  position: SortPosition;
}

/**
 * A page of rows that are values.
 * @param read reads so many rows behind a position: a keyset query in Postgres, `search_after` in OpenSearch
 */
export async function pageOfRows<Row>(
  call: PagedCall,
  list: List,
  read: (size: number, after: SortPosition | null) => Promise<readonly PositionedRow<Row>[]>,
): Promise<{ data: Row[]; pagination: Pagination }> {
  const page = openPage(call, list);
  const found = await read(page.size + 1, page.after);
  const shown = found.slice(0, page.size);
  return {
    data: shown.map(({ row }) => row),
    pagination: page.pagination({
      shown: shown.length,
      more: found.length > shown.length,
      last: shown.at(-1)?.position ?? null,
    }),
  };
}

const OPEN = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** The body of a list whose rows are JSON bytes already, each in one or more parts, with what stands beside the rows. */
export function listBytes(rows: readonly (readonly Uint8Array[])[], beside: object): Uint8Array[] {
  const bytes: Uint8Array[] = [OPEN];
  for (const [index, row] of rows.entries()) {
    if (index > 0) bytes.push(COMMA);
    bytes.push(...row);
  }
  bytes.push(Buffer.from(`],${JSON.stringify(beside).slice(1)}`));
  return bytes;
}
