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
    ...(row.kind.candidates ? { candidates: row.kind.candidates } : {}),
    ...(row.notBelow ? { notBelow: row.notBelow } : {}),
  };
}
/** Distributes over a union of rows, so that each parameter keeps its own name and value together. */
type ParameterOf<Row> = Row extends FilterRow ? FilterParameter<Row> : never;

/** The filters as query parameters, straight from the table. */
export const filterParameters = FILTERS.map((row) => toParameter(row));

export const sortParameter = {
  name: 'sort',
  schema: { type: 'string', enum: SORT_NAMES, default: 'newest' },
  description: `Order of the results: ${SORT_NAMES.map((name) => `\`${name}\` (${SORTS[name].description})`).join(', ')}.`,
  example: 'newest',
} as const satisfies Parameter;

/** The filters of a query, without `sort`, `limit` and `cursor`. */
export const filtersOf = (query: FilterValues): FilterValues => pickFilters(query, FILTER_NAMES);
