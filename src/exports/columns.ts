import type { JsonSchema } from '#domain/json-schema.ts';

/** A column of a row. Objects within a row become several columns, lists become one. */
export interface Column {
  /** The way to it, with dots: `price.yearly_sar`. */
  name: string;
  path: readonly string[];
  /** JSON types, `null` among them where the value may be missing. */
  types: readonly string[];
  /** Format of a string column; null for other columns. */
  format: 'date-time' | 'date' | null;
}

const FORMATS = ['date-time', 'date'] as const;

/** The columns of rows of a schema, in the order of the schema. */
export function columnsOf(schema: JsonSchema, path: readonly string[] = [], nullable = false): Column[] {
  const types = [schema.type].flat() as string[];
  const mayBeNull = nullable || types.includes('null');
  const { properties } = schema;
  if (types.includes('object') && properties) {
    return Object.entries(properties as Readonly<Record<string, JsonSchema>>).flatMap(([name, inner]) =>
      columnsOf(inner, [...path, name], mayBeNull),
    );
  }
  const own = types.filter((type) => type !== 'null');
  const format = FORMATS.find((each) => each === schema.format) ?? null;
  return [{ name: path.join('.'), path, types: mayBeNull ? [...own, 'null'] : own, format }];
}

/** The value of a column in a row; null where it or anything on the way to it is missing. */
export function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value ?? null;
}
