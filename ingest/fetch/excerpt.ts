import { storable } from '#domain/text/visible.ts';

const MAX_DEPTH = 16;

/**
 * Returns the start of a row as text, or as JSON, whatever its size and depth. It is a copy, so that the row can be
 * garbage-collected.
 */
export function excerptOf(row: unknown, characters: number): string {
  const text = storable(typeof row === 'string' ? row.slice(0, characters) : jsonOf(row, characters, 0));
  return Buffer.from(text.slice(0, characters), 'utf16le').toString('utf16le');
}

/** As `JSON.stringify`, but at most slightly more than the number of characters. Deeper values are an ellipsis. */
function jsonOf(value: unknown, characters: number, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, characters));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (depth === MAX_DEPTH) return '"…"';
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const name in value) {
    const each = jsonOf((value as Readonly<Record<string, unknown>>)[name], characters - text.length, depth + 1);
    if (each === '' && !isList) continue;
    text += `${text.length > 1 ? ',' : ''}${isList ? '' : `${JSON.stringify(name.slice(0, characters))}:`}${each || 'null'}`;
    if (text.length >= characters) return text;
  }
  return text + (isList ? ']' : '}');
}
