import type { Parameter } from '#http/endpoint.ts';
import type { FilterRow } from '#queries/filters/kinds.ts';
import { FILTER_NAMES, FILTERS, type FilterValues, pickFilters, type SchemaOf } from '#queries/filters/table.ts';
import { SORT_NAMES, SORTS } from '#queries/listings/sorts.ts';

/** A filter as a query parameter. */
export interface FilterParameter<Row extends FilterRow> extends Parameter {
  name: Row['name'];
  schema: SchemaOf<Row>;
  required: Row extends { required: true } ? true : false;
}

export function toParameter<Row extends FilterRow>(row: Row): ParameterOf<Row>;
export function toParameter(row: FilterRow): Parameter {
  return {
    name: row.name,
    schema: row.kind.schema(row),
    description: row.description,
    required: row.required ?? false,
    example: row.example,
    ...(row.kind.check ? { check: row.kind.check } : {}),
  };
}
/** One parameter for each of several rows, so that their names and values stay together. */
type ParameterOf<Row> = Row extends FilterRow ? FilterParameter<Row> : never;

/** The filters as query parameters, straight from the table. */
export const filterParameters = FILTERS.map((row) => toParameter(row));

/** Rows a page may have at most on any plan; the caller's own plan is held against it when charging. */
const LARGEST_PAGE = 1_000;

export const limitParameter = {
  name: 'limit',
  schema: { type: 'integer', minimum: 1, maximum: LARGEST_PAGE, default: 10 },
  description: "Rows a page, at most the plan's page size.",
  example: '25',
} as const satisfies Parameter;

export const cursorParameter = {
  name: 'cursor',
  schema: { type: 'string', minLength: 1 },
  description: '`next_cursor` of the page before, with all other parameters as they were.',
} as const satisfies Parameter;

export const sortParameter = {
  name: 'sort',
  schema: { type: 'string', enum: SORT_NAMES, default: 'newest' },
  description: `Order of the results: ${SORT_NAMES.map((name) => `\`${name}\` (${SORTS[name].description})`).join(', ')}.`,
  example: 'newest',
} as const satisfies Parameter;

/** The filters of a query, without what pages and orders it. */
export const filtersOf = (query: FilterValues): FilterValues => pickFilters(query, FILTER_NAMES);

/** Units of a page: 1 for every 10 rows asked for. */
export const unitsPerTen = (rows: number): number => Math.ceil(rows / 10);
