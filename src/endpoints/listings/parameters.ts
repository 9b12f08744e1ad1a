import type { Parameter } from '#http/endpoint.ts';
import type { FilterRow } from '#queries/filters/kinds.ts';
import { type FilterValues, filterRows } from '#queries/filters/table.ts';
import { SORT_NAMES, SORTS, type SortName } from '#queries/listings/sorts.ts';

/** A filter as a query parameter. */
export const toParameter = (row: FilterRow): Parameter => ({
  name: row.name,
  schema: row.kind.schema(row),
  description: row.description,
  required: row.required ?? false,
  example: row.example,
  ...(row.kind.check ? { check: row.kind.check } : {}),
});

/** The filters as query parameters, straight from the table. */
export const filterParameters: readonly Parameter[] = filterRows().map(toParameter);

/** Rows a page may have at most on any plan; the caller's own plan is held against it when charging. */
const LARGEST_PAGE = 1_000;

export const limitParameter: Parameter = {
  name: 'limit',
  schema: { type: 'integer', minimum: 1, maximum: LARGEST_PAGE, default: 10 },
  description: "Rows a page, at most the plan's page size.",
  example: '25',
};

export const cursorParameter: Parameter = {
  name: 'cursor',
  schema: { type: 'string', minLength: 1 },
  description: '`next_cursor` of the page before, with all other parameters as they were.',
};

export const sortParameter: Parameter = {
  name: 'sort',
  schema: { type: 'string', enum: SORT_NAMES, default: 'newest' },
  description: `Order of the results: ${SORT_NAMES.map((name) => `\`${name}\` (${SORTS[name].description})`).join(', ')}.`,
  example: 'newest',
};

export interface SearchQuery extends FilterValues {
  city: string;
  sort: SortName;
  limit: number;
  cursor?: string;
}

/** The filters of a query, without what pages and orders it. */
export function filtersOf(query: FilterValues): FilterValues {
  const given: Readonly<Record<string, unknown>> = query;
  return Object.fromEntries(
    filterRows().flatMap(({ name }) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
}

/** Units of a page: 1 for every 10 rows asked for. */
export const unitsPerTen = (rows: number): number => Math.ceil(rows / 10);
