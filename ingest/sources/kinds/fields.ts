import { createHash } from 'node:crypto';
import { listIn, valueIn } from '../../normalize/plain-values.ts';

/**
 * An element, array or object with one value is that value. Other values of unexpected types are passed on, so that they
 * are reported as unread.
 */

export const text = (value: unknown): string | null => valueIn(value, 'text');

export const scalar = (value: unknown): string | number | null => valueIn(value, 'scalar') ?? null;

export const flag = (value: unknown): string | number | boolean | null => valueIn(value, 'flag');

/** Returns an empty object for other values, so that its fields count as missing. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export const texts = (value: unknown): string[] => listIn(value);

/** An object of named values. The values of a repeated name are a list, so that none is lost. */
export function named<Value>(
  entries: Iterable<readonly [name: string, value: Value]>,
): Record<string, Value | Value[]> {
  const groups = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    Array.from(groups, ([name, found]) => {
      const values = found.map(([, value]) => value);
      return [name, values.length === 1 ? (values[0] as Value) : values];
    }),
  );
}

/** Returns an empty array for an empty cell. */
export function split(cell: string | undefined, separator: string): string[] {
  if (cell === undefined || cell === '') return [];
  return cell.split(separator).map((part) => part.trim());
}

/** Returns `['ac']` for `{ac: '1', pool: '0'}` by `{ac: 'ac', pool: 'pool'}`. */
export function marked(row: Readonly<Record<string, unknown>>, marks: Readonly<Record<string, string>>): string[] {
  const found: string[] = [];
  for (const [column, value] of Object.entries(marks)) {
    const mark = row[column];
    if (mark === '1' || mark === 1 || mark === true) found.push(value);
  }
  return found;
}

/** Unchanged ads keep this id, and exact repetitions have the same. */
export function contentId(values: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(values.map((value) => value.trim())))
    .digest('hex')
    .slice(0, 24);
}
