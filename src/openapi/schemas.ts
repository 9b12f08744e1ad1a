import { componentName, type JsonSchema } from '#domain/json-schema.ts';
import { PUBLISHED_PATTERN } from '#domain/text/visible.ts';

export type Json = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Removes or translates the keywords of this service, at every depth. Client generators do not support `prefixItems`,
 * which becomes `items` for every position.
 * @param reference returns what replaces a schema, or null
 */
export function plainSchema(
  schema: JsonSchema,
  reference: (schema: JsonSchema) => JsonSchema | null = () => null,
): JsonSchema {
  const { prefixItems, visibleText } = schema;
  const stated = visibleText ? { ...schema, pattern: PUBLISHED_PATTERN } : schema;
  const inner = (value: unknown): JsonSchema =>
    reference(value as JsonSchema) ?? plainSchema(value as JsonSchema, reference);
  const plain = Object.entries(stated).filter(([keyword]) => !OWN_KEYWORDS.has(keyword));
  const entries = plain.map(([keyword, value]) => {
    if (keyword === 'format' && String(value).startsWith('timestamp')) return [keyword, 'date-time'];
    if (keyword === 'items' && prefixItems) return [keyword, inner(anyPlace(prefixItems as readonly JsonSchema[]))];
    if (keyword === 'properties') {
      const properties = Object.entries(value as Record<string, JsonSchema>);
      return [keyword, Object.fromEntries(properties.map(([name, each]) => [name, inner(each)]))];
    }
    if (SCHEMA_LISTS.includes(keyword)) return [keyword, (value as readonly JsonSchema[]).map(inner)];
    return [keyword, SCHEMAS.includes(keyword) && typeof value === 'object' ? inner(value) : value];
  });
  return Object.fromEntries(entries);
}

function anyPlace(items: readonly JsonSchema[]): JsonSchema {
  const bounds = (keyword: string): number[] => items.map((item) => Number(item[keyword]));
  return { ...items[0], minimum: Math.min(...bounds('minimum')), maximum: Math.max(...bounds('maximum')) };
}

const OWN_KEYWORDS = new Set(
  'orderedBox point polygon searchText maxCharacters accepts sensitive visibleText prefixItems'.split(' '),
);
const SCHEMAS = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'];
const SCHEMA_LISTS = ['oneOf', 'anyOf', 'allOf'];

/** Adds components to `schemas`. Texts and defaults of a named enumeration stay. */
export function withReferences(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const refer = (name: string, content: () => JsonSchema): JsonSchema => {
    schemas[name] ??= content();
    return { $ref: `#/components/schemas/${name}` };
  };
  const reference = (each: JsonSchema): JsonSchema | null => {
    const name = componentName(each);
    if (name !== undefined) return refer(name, () => plainSchema(each, reference));
    const { type, enum: values, ...beside } = each;
    const valuesName = Array.isArray(values) ? componentName(values) : undefined;
    if (valuesName === undefined) return null;
    return { ...refer(valuesName, () => ({ type, enum: values })), ...plainSchema(beside) };
  };
  return reference(schema) ?? plainSchema(schema, reference);
}
