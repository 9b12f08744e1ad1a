import { record } from './fields.ts';

/**
 * A column, a path such as `location.lat`, or a function of the row; a nested mapping makes an object. Normalization
 * drops values of unexpected types.
 */
export type Mapping<Raw, Row> = {
  readonly [Field in keyof Raw]?: string | ((row: Row) => Raw[Field]) | Mapping<NonNullable<Raw[Field]>, Row>;
};

export function renamed<Raw extends object, Row extends object>(
  mapping: NoInfer<Mapping<Raw, Row>>,
): (row: Row) => Raw {
  const fields = Object.entries(mapping).map(([field, from]): [string, (row: Row) => unknown] => {
    if (typeof from === 'function') return [field, from as (row: Row) => unknown];
    if (typeof from !== 'string') return [field, renamed(from as Mapping<object, Row>)];
    // Column names may contain a dot, so the whole name takes precedence over a path.
    return [field, (row) => (Object.hasOwn(row, from) ? record(row)[from] : valueAt(row, from.split('.'))) ?? null];
  });
  return (row) => Object.fromEntries(fields.map(([field, read]) => [field, read(row)])) as Raw;
}

const valueAt = (row: unknown, path: readonly string[]): unknown =>
  path.reduce((value, name) => record(value)[name], row);
