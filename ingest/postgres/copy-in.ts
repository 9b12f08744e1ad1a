import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { chunks } from '#domain/chunks.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';

export function copyText(value: string | null | undefined): string {
  if (value === null || value === undefined) return '\\N';
  // Most text needs no escaping, and the test is much faster than the replacement.
  return SPECIAL.test(value) ? value.replace(SPECIALS, (char) => ESCAPES[char] as string) : value;
}

/** Postgres does not support NUL in text. */
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '' };
const SPECIALS = /[\\\t\n\r\0]/g;
const SPECIAL = new RegExp(SPECIALS.source);

export function copyNumber(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '\\N' : String(value);
}

const CHUNK = 10_000;

/** Loads tab-separated lines with COPY. `target` is a table with its columns. */
export async function copyIn(client: pg.ClientBase, target: string, lines: readonly string[]): Promise<void> {
  for (const chunk of chunks(lines, CHUNK))
    await pipeline([`${chunk.join('\n')}\n`], client.query(from(`copy ${target} from stdin`)));
}

/**
 * Loads lines into a temporary table, which is emptied at the end of the transaction.
 * @param definition the table with its columns and types, in the order of the values
 */
export async function copyToTemporary(
  client: Transaction,
  definition: string,
  lines: readonly string[],
): Promise<void> {
  await client.query(`create temp table if not exists ${definition} on commit delete rows`);
  await copyIn(client, definition.slice(0, definition.indexOf(' ')), lines);
}
