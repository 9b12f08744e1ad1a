import type { JsonSchema } from '#domain/json-schema.ts';

/** Nested objects become several columns; a list becomes one. */
export interface Column {
  /** Property names joined by dots, for example `price.yearly_sar`. */
  name: string;
  path: readonly string[];
  /** Includes `null` if the value can be missing. */
  types: readonly string[];
  format: 'date-time' | 'date' | null;
  /** Whether the value is a list of texts. */
  hasTexts: boolean;
}

const FORMATS = ['date-time', 'date'] as const;

export function columnsOf(schema: JsonSchema, path: readonly string[] = [], nullable = false): Column[] {
  const types = [schema.type].flat() as string[];
  const mayBeNull = nullable || types.includes('null');
  const { properties, items } = schema;
  if (types.includes('object') && properties) {
    return Object.entries(properties as Readonly<Record<string, JsonSchema>>).flatMap(([name, inner]) =>
      columnsOf(inner, [...path, name], mayBeNull),
    );
  }
  const own = types.filter((type) => type !== 'null');
  const format = FORMATS.find((each) => each === schema.format) ?? null;
  const hasTexts = (items as JsonSchema | undefined)?.type === 'string';
  return [{ name: path.join('.'), path, types: mayBeNull ? [...own, 'null'] : own, format, hasTexts }];
}

/** Returns null if the value or a parent object is missing. */
export function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value ?? null;
}
