import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { chunks } from '#domain/chunks.ts';

export function copyText(value: string | null | undefined): string {
  if (value === null || value === undefined) return '\\N';
  // The test is much faster than the replacement.
  return SPECIAL.test(value) ? value.replace(SPECIALS, (char) => ESCAPES[char] as string) : value;
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '' };
const SPECIALS = /[\\\t\n\r\0]/g;
const SPECIAL = new RegExp(SPECIALS.source);

export function copyNumber(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '\\N' : String(value);
}

/** JSON contains no raw tabs or line breaks. */
export function copyJson(json: string): string {
  return json.includes('\\') ? json.replaceAll('\\', '\\\\') : json;
}

const CHUNK = 10_000;

/** Avoids allocating megabytes for every batch. */
const buffers = new WeakMap<pg.ClientBase, Buffer>();

export async function copyIn(client: pg.ClientBase, target: string, lines: readonly string[]): Promise<void> {
  for (const chunk of chunks(lines, CHUNK)) {
    const bytes = encode(client, chunk);
    const stream = client.query(from(`copy ${target} from stdin`));
    await new Promise<void>((resolve, reject) => {
      stream.on('error', reject);
      // The buffer can be reused.
      stream.on('finish', resolve);
      stream.end(bytes);
    });
  }
}

/**
 * For statements in the same transaction, at whose end the table is emptied.
 * @param definition with columns and types
 */
export async function copyToTemporary(
  client: pg.ClientBase,
  definition: string,
  lines: readonly string[],
): Promise<void> {
  await client.query(`create temp table if not exists ${definition} on commit delete rows`);
  await copyIn(client, definition.slice(0, definition.indexOf(' ')), lines);
}

function encode(client: pg.ClientBase, lines: readonly string[]): Buffer {
  // At most three bytes in UTF-8.
  let size = lines.length;
  for (const line of lines) size += line.length * 3;
  let buffer = buffers.get(client);
  if (buffer === undefined || buffer.length < size) {
    buffer = Buffer.allocUnsafeSlow(Math.ceil(size * 1.25));
    buffers.set(client, buffer);
  }
  let end = 0;
  for (const line of lines) {
    end += buffer.write(line, end, 'utf8');
    buffer[end++] = 10;
  }
  return buffer.subarray(0, end);
}
