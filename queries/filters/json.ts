import type { JsonSchema } from '#domain/json-schema.ts';
import { type FilterName, filterRows } from './table.ts';

/** Filters as JSON: what the query of a search writes as text. Those a search takes one of may have several values. */
export type JsonFilters = Readonly<Partial<Record<FilterName, unknown>>>;

/** What a search takes exactly one of, and JSON any of several. */
export const SEVERAL: readonly FilterName[] = ['city', 'listing_type'];
const MAX_VALUES = 100;

/** The properties of a filters object, straight from the table. */
export function filterProperties(): Record<string, JsonSchema> {
  return Object.fromEntries(
    filterRows().map((row) => {
      const schema = row.kind.schema(row);
      const several = (SEVERAL as readonly string[]).includes(row.name);
      const items = { type: 'array', items: schema, minItems: 1, maxItems: MAX_VALUES };
      return [row.name, { ...(several ? items : schema), description: row.description }];
    }),
  );
}

/** Puts single values that stand where a list may into one: `"city": "riyadh"` means `["riyadh"]`. */
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
