import { createHash } from 'node:crypto';

/** Values of unexpected types count as missing. */

export function text(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

export function scalar(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

export function flag(value: unknown): string | number | boolean | null {
  return typeof value === 'boolean' ? value : scalar(value);
}

/** Returns an empty object for other values, so that its fields count as missing. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
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
