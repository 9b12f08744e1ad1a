import { isListed, isStated } from '../../normalize/plain-values.ts';
import type { RowMapper } from './feed-row.ts';
import { record } from './fields.ts';

/**
 * A column, a path such as `location.lat`, or a function of the row; a nested mapping makes an object. Normalization
 * reports values of unexpected types.
 */
export type Mapping<Raw, Row> = {
  readonly [Field in keyof Raw]?: string | ((row: Row) => Raw[Field]) | Mapping<NonNullable<Raw[Field]>, Row>;
};

export function renamed<Raw extends object, Row extends object>(
  mapping: NoInfer<Mapping<Raw, Row>>,
): RowMapper<Row, Raw> {
  const elements = new Set(Object.values(mapping).map((from) => String(from).replace(/\.#text$/, '')));
  const fields = Object.entries(mapping).map(([field, from]): [string, (row: Row) => unknown] => {
    if (typeof from === 'function') return [field, from as (row: Row) => unknown];
    if (typeof from !== 'string') return [field, renamed(from as Mapping<object, Row>)];
    // The text of an element without this attribute has a field of its own.
    const isBeside = elements.has(from.replace(/\.@[^.]+$/, ''));
    return [field, (row) => columnValue(row, from, isBeside) ?? null];
  });
  const map = (row: Row) => Object.fromEntries(fields.map(([field, read]) => [field, read(row)])) as Raw;
  const columns = Object.entries(mapping).filter(([, from]) => typeof from === 'string');
  return Object.assign(map, { columns: new Map(columns as [string, string][]) });
}

/** Column names may contain a dot, so the whole name takes precedence over a path. */
export const columnValue = (row: object, from: string, isBeside = false): unknown =>
  Object.hasOwn(row, from) ? record(row)[from] : valueAt(row, from.split('.'), isBeside);

/**
 * Returns the value, for a list those of its items. Where the path ends early, the value there is reported as unread. An
 * element without attributes is its text.
 */
export function valueAt(value: unknown, path: readonly string[], isBeside = false): unknown {
  const [name, ...rest] = path;
  if (name === undefined || value === null || value === undefined || value === '' || value === false) return value;
  if (isListed(value) && !Object.hasOwn(value, name)) {
    const found = Object.values(value)
      .map((item) => valueAt(item, path, isBeside))
      .filter(isStated);
    return found.length > 1 ? found : found[0];
  }
  if (typeof value === 'object') return valueAt(record(value)[name], rest, isBeside);
  if (name === '#text') return value;
  return isBeside && name.startsWith('@') ? null : { path: path.join('.'), value };
}
