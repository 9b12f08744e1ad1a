import { hash } from 'node:crypto';
import { parseJson } from '#domain/parse-json.ts';

/** The start of a page within a list. */
export interface ListPosition {
  /** `data`, or a list inside `data`, such as `data.cells`. */
  list: string;
  /** Number of rows before the page. */
  offset: number;
  /** Number of rows in the list. */
  total: number;
}

type Arguments = Readonly<Record<string, unknown>>;

const DIGEST_CHARACTERS = 16;

/**
 * Encodes the cursor for a list that the endpoint returns completely and the tool returns in pages: a position, and a
 * digest of the tool's arguments. The cursor is not signed, because a modified position gives no additional
 * access. Pure.
 */
export function encodeListCursor({ list, offset, total }: ListPosition, tool: string, args: Arguments): string {
  return Buffer.from(JSON.stringify([digestOf(tool, args), list, offset, total])).toString('base64url');
}

/** Returns the position in a cursor, or null if the cursor is malformed or from a call with other arguments. Pure. */
export function decodeListCursor(cursor: unknown, tool: string, args: Arguments): ListPosition | null {
  const [digest, list, offset, total] = readArray(cursor);
  if (digest !== digestOf(tool, args) || typeof list !== 'string') return null;
  return isCount(offset) && isCount(total) && offset < total ? { list, offset, total } : null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function readArray(cursor: unknown): readonly unknown[] {
  const value = parseJson(Buffer.from(String(cursor), 'base64url').toString());
  return Array.isArray(value) ? value : [];
}

function digestOf(tool: string, args: Arguments): string {
  const entries = Object.entries(args)
    .filter(([, value]) => value !== undefined && value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([tool, entries]), 'base64url').slice(0, DIGEST_CHARACTERS);
}
