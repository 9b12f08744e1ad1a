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
  'orderedBox point points polygon searchText maxCharacters accepts sensitive visibleText prefixItems'.split(' '),
);
const SCHEMAS = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'];
const SCHEMA_LISTS = ['oneOf', 'anyOf', 'allOf'];

/**
 * Adds components to `schemas`. Texts and defaults of a named enumeration stay. Objects and enumerations that may be null
 * are written as alternatives, because generators for Kotlin and Swift read a list of types as a type that is never null.
 */
export function withReferences(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const refer = (name: string, content: () => JsonSchema): JsonSchema => {
    schemas[name] ??= content();
    return { $ref: `#/components/schemas/${name}` };
  };
  const reference = (each: JsonSchema): JsonSchema | null => {
    const name = componentName(each);
    if (name !== undefined) return refer(name, () => plainSchema(each, reference));
    const { type, enum: values, ...beside } = each;
    const isNullable = Array.isArray(type) && type.includes('null');
    const own: unknown = isNullable ? type.find((one) => one !== 'null') : type;
    if (Array.isArray(values) && componentName(values) !== undefined) {
      const listed = values.filter((value) => value !== null);
      const named = refer(componentName(values) as string, () => ({ type: own, enum: listed }));
      return { ...(isNullable ? orNull(named) : named), ...plainSchema(beside) };
    }
    if (!isNullable || own !== 'object') return null;
    const { description, ...object } = each;
    return {
      ...(description !== undefined && { description }),
      ...orNull(plainSchema({ ...object, type: own }, reference)),
    };
  };
  return reference(schema) ?? plainSchema(schema, reference);
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
