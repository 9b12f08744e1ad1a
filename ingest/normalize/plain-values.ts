import type { Scalar } from './numbers.ts';

/** The type of a field in a mapped row. `texts` is a list of strings; an object states the types of its properties. */
type FieldType = 'text' | 'scalar' | 'flag' | 'texts' | 'any' | { readonly [name: string]: FieldType };

export type Stated<Type> = Type extends 'text'
  ? string
  : Type extends 'scalar'
    ? Scalar
    : Type extends 'flag'
      ? string | number | boolean
      : Type extends 'texts'
        ? readonly string[]
        : Type extends 'any'
          ? unknown
          : { -readonly [Name in keyof Type]?: Stated<Type[Name]> | null };

type Fields<Row> = { readonly [Name in keyof Required<Row>]: FieldType };

/** Keeps the values that have the type of their field, because sources map values as their feeds have them. */
export function plainValues<Row extends object>(row: Row, fields: Fields<Row>): Row {
  return onlyPlain(row, fields) as Row;
}

const onlyPlain = (row: object, fields: { readonly [name: string]: FieldType }): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, type]) => [name, plainValue((row as Record<string, unknown>)[name], type)]),
  );

function plainValue(value: unknown, type: FieldType): unknown {
  if (typeof type === 'object') return typeof value === 'object' && value !== null ? onlyPlain(value, type) : null;
  if (type === 'any') return value;
  if (type === 'texts') {
    if (typeof value === 'string') return [value];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;
  }
  const isNumber = typeof value === 'number';
  if (typeof value === 'string' || (isNumber && type !== 'text')) return value;
  if (type === 'text') return isNumber ? String(value) : null;
  return type === 'flag' && typeof value === 'boolean' ? value : null;
}
