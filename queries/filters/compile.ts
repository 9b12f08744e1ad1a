import type { GeoPolygon } from '#domain/geography/shapes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { Clause } from '../clause.ts';
import type { ClauseContext, FilterRow, ValuesOfRows } from './kinds.ts';
import { type FilterValues, filterRows } from './table.ts';

export function compileFilters(values: FilterValues, context: ClauseContext): Clause[] {
  return compileRows(filterRows(), values, context);
}

export function compileRows(
  rows: readonly FilterRow[],
  values: Readonly<Record<string, unknown>>,
  context: ClauseContext,
): Clause[] {
  const given = rows.filter(({ name }) => values[name] !== undefined);
  return given
    .map((row) => row.kind.clause(row, values[row.name], context, values))
    .filter((clause) => clause !== null);
}

export function pickRows<Row extends FilterRow>(
  rows: readonly Row[],
  query: Readonly<Record<string, unknown>>,
): ValuesOfRows<Row> {
  const given = rows.flatMap(({ name }) => (query[name] === undefined ? [] : [[name, query[name]]]));
  return Object.fromEntries(given) as ValuesOfRows<Row>;
}

/** `city` and `listing_type` accept several values, and `polygon` is GeoJSON. */
export interface JsonFilters extends Omit<FilterValues, 'city' | 'listing_type' | 'polygon'> {
  readonly city?: readonly string[];
  readonly listing_type?: readonly string[];
  readonly polygon?: GeoPolygon;
}

const SEVERAL: readonly string[] = ['city', 'listing_type'];
const MAX_VALUES = 100;

/** Returns the values of a JSON filter, each in the form that a search accepts. */
export const searchValues = (name: string, value: unknown): readonly unknown[] =>
  SEVERAL.includes(name) && Array.isArray(value) ? value : [value];

export function filterProperties(rows: readonly FilterRow[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    rows.map((row) => {
      const schema = row.kind.jsonSchema ?? row.kind.schema(row);
      const items = { type: 'array', items: schema, minItems: 1, maxItems: MAX_VALUES };
      return [row.name, { ...(SEVERAL.includes(row.name) ? items : schema), description: row.description }];
    }),
  );
}

/** `"city": "riyadh"` means `["riyadh"]`. */
export function listSingleValues(
  filters: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, JsonSchema>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const isList = schema?.type === 'array' && schema.prefixItems === undefined;
      return [name, isList && !Array.isArray(value) ? [value] : value];
    }),
  );
}
