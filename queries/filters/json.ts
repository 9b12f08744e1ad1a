import type { GeoPolygon } from '#domain/geography/shapes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { FilterRow } from './kinds.ts';
import type { FilterValues } from './table.ts';

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
