import { parseJson } from '#domain/parse-json.ts';
import { cursorFingerprint } from '#http/cursor.ts';

export interface ListPosition {
  /** `data`, or a list inside `data`, such as `data.cells`. */
  list: string;
  offset: number;
  total: number;
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Encodes the cursor for a list that the endpoint returns completely and the tool returns in pages: a position, and a
 * fingerprint of the tool's arguments. The cursor is not signed, because a modified position gives no additional
 * access. Pure.
 */
export function encodeListCursor({ list, offset, total }: ListPosition, tool: string, args: Arguments): string {
  return Buffer.from(JSON.stringify([fingerprintOf(tool, args), list, offset, total])).toString('base64url');
}

export function decodeListCursor(cursor: unknown, tool: string, args: Arguments): ListPosition | null {
  const read = parseJson(Buffer.from(String(cursor), 'base64url').toString());
  const [fingerprint, list, offset, total] = Array.isArray(read) ? (read as unknown[]) : [];
  if (fingerprint !== fingerprintOf(tool, args) || typeof list !== 'string') return null;
  return isCount(offset) && isCount(total) && offset < total ? { list, offset, total } : null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const fingerprintOf = (tool: string, args: Arguments): string =>
  cursorFingerprint('', tool, args).toString('base64url');
