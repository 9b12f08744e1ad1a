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

/** Omits values of another type than their field, because sources map values as their feeds have them. */
export function plainValues<Row extends object>(row: Row, fields: Fields<Row>): Row {
  return onlyPlain(row, fields) as Row;
}

function onlyPlain(row: object, fields: { readonly [name: string]: FieldType }): object {
  let plain: Record<string, unknown> | null = null;
  for (const name in fields) {
    const value = (row as Record<string, unknown>)[name];
    if (value === undefined || value === null) continue;
    const kept = plainValue(value, fields[name] as FieldType);
    if (kept === value) continue;
    plain ??= { ...row };
    plain[name] = kept;
  }
  return plain ?? row;
}

function plainValue(value: unknown, type: FieldType): unknown {
  if (typeof type === 'object') return typeof value === 'object' && value !== null ? onlyPlain(value, type) : null;
  switch (type) {
    case 'any':
      return value;
    case 'texts':
      if (!Array.isArray(value)) return null;
      return value.every((item) => typeof item === 'string') ? value : value.filter((item) => typeof item === 'string');
    case 'text':
      return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
    case 'flag':
      if (typeof value === 'boolean') return value;
      break;
    case 'scalar':
      break;
  }
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
