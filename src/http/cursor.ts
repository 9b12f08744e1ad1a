import { hash } from 'node:crypto';
import type { SortPosition } from '#domain/sort-position.ts';
import { isSigned, SIGNATURE_BYTES, type SigningSecret, signatureOf } from './signing-secret.ts';

export interface List {
  name: string;
  filters: Readonly<Record<string, unknown>>;
}

export interface Pagination {
  limit: number;
  next_cursor: string | null;
  has_more: boolean;
  result_window_reached: boolean;
}

export interface Page {
  /** Limited by page size and paging depth. One more row is read to detect a next page. */
  size: number;
  after: SortPosition | null;
  /** @param found rows of the page, and the next one if there is one */
  cut<Row>(
    found: readonly Row[],
    positionOf: (row: Row) => SortPosition,
  ): { shown: readonly Row[]; pagination: Pagination };
}

export interface CursorState {
  /** Rows returned so far, which the charge compares with the paging depth. */
  offset: number;
  after: SortPosition;
  fingerprint: Buffer;
}

const FINGERPRINT_BYTES = 12;
/** Bytes of the offset and of the two numbers. */
const NUMBER_BYTES = 20;
const VERSION = 1;

export function cursorFingerprint(
  organization: string,
  list: string,
  filters: Readonly<Record<string, unknown>>,
): Buffer {
  const entries = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([organization, list, entries]);
  return hash('sha256', text, 'buffer').subarray(0, FINGERPRINT_BYTES);
}

/**
 * Base64url of `version, key id, fingerprint, offset, sort values, text, mac`. Cursors are signed with the first
 * secret; the key id identifies it, so that secrets can be rotated while cursors are in use.
 */
export function encodeCursor(state: CursorState, secrets: readonly SigningSecret[]): string {
  const [signer] = secrets;
  if (!signer) throw new Error('no cursor secret is configured');
  const id = Buffer.from(signer.id);
  const [first, second, text = ''] = state.after;
  const numbers = Buffer.alloc(NUMBER_BYTES);
  numbers.writeUInt32BE(state.offset);
  numbers.writeDoubleBE(first, 4);
  numbers.writeDoubleBE(second, 12);
  const head = Buffer.from([VERSION, id.length]);
  const payload = Buffer.concat([head, id, state.fingerprint, numbers, Buffer.from(text)]);
  return Buffer.concat([payload, signatureOf(payload, signer.secret)]).toString('base64url');
}

/** Returns null if the cursor is malformed, modified or signed with an unknown secret. */
export function decodeCursor(text: string, secrets: readonly SigningSecret[]): CursorState | null {
  if (!/^[A-Za-z0-9_-]{1,300}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // Several texts decode to the same bytes, because trailing bits are ignored.
  if (bytes.toString('base64url') !== text) return null;
  const idEnd = 2 + (bytes[1] ?? 0);
  const end = bytes.length - SIGNATURE_BYTES;
  const textStart = idEnd + FINGERPRINT_BYTES + NUMBER_BYTES;
  if (end < textStart || bytes[0] !== VERSION) return null;
  const id = bytes.toString('utf8', 2, idEnd);
  const payload = bytes.subarray(0, end);
  if (!isSigned(payload, bytes.subarray(end), id, secrets)) return null;
  const numbers = idEnd + FINGERPRINT_BYTES;
  const after = [payload.readDoubleBE(numbers + 4), payload.readDoubleBE(numbers + 12)] as const;
  return {
    fingerprint: payload.subarray(idEnd, numbers),
    offset: payload.readUInt32BE(numbers),
    after: end === textStart ? after : [...after, payload.toString('utf8', textStart)],
  };
}
