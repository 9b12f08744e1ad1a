import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { SortPosition } from '#domain/sort-position.ts';

/** Where a page ended, and the query it belongs to. */
export interface CursorState {
  /** Rows given so far, which the charge checks against the paging depth. */
  offset: number;
  /** Sort values of the last row given. */
  after: SortPosition;
  /** See `cursorFingerprint`. */
  fingerprint: Buffer;
}

export interface CursorSecret {
  id: string;
  secret: string;
}

const FINGERPRINT_BYTES = 12;
const MAC_BYTES = 16;
const VERSION = 1;

/** What a cursor is bound to: its organization, list (with its order) and filters. No other combination takes it. */
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
 * An opaque, signed cursor: base64url of `version, key id, fingerprint, offset, sort values, mac`. The key id lets
 * secrets rotate while old cursors live; the first secret signs.
 */
export function encodeCursor(state: CursorState, secrets: readonly CursorSecret[]): string {
  const [signer] = secrets;
  if (!signer) throw new Error('no cursor secret is configured');
  const id = Buffer.from(signer.id);
  const payload = Buffer.alloc(2 + id.length + FINGERPRINT_BYTES + 20);
  payload[0] = VERSION;
  payload[1] = id.length;
  id.copy(payload, 2);
  let at = 2 + id.length;
  at += state.fingerprint.copy(payload, at);
  at = payload.writeUInt32BE(state.offset, at);
  at = payload.writeDoubleBE(state.after[0], at);
  payload.writeDoubleBE(state.after[1], at);
  return Buffer.concat([payload, sign(payload, signer.secret)]).toString('base64url');
}

/**
 * The state of a cursor; null when it is malformed, edited or signed by no known secret. Whether it belongs to this
 * query is checked by its fingerprint when the page is opened.
 */
export function decodeCursor(text: string, secrets: readonly CursorSecret[]): CursorState | null {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // One spelling for one cursor: decoding ignores trailing bits, so that several texts would give the same bytes.
  if (bytes.toString('base64url') !== text) return null;
  const idEnd = 2 + (bytes[1] ?? 0);
  const end = idEnd + FINGERPRINT_BYTES + 20;
  if (bytes.length !== end + MAC_BYTES || bytes[0] !== VERSION) return null;
  const id = bytes.toString('utf8', 2, idEnd);
  const secret = secrets.find((candidate) => candidate.id === id)?.secret;
  if (secret === undefined) return null;
  const payload = bytes.subarray(0, end);
  if (!timingSafeEqual(sign(payload, secret), bytes.subarray(end))) return null;
  const numbers = idEnd + FINGERPRINT_BYTES;
  return {
    fingerprint: payload.subarray(idEnd, numbers),
    offset: payload.readUInt32BE(numbers),
    after: [payload.readDoubleBE(numbers + 4), payload.readDoubleBE(numbers + 12)],
  };
}

function sign(payload: Buffer, secret: string): Buffer {
  return createHmac('sha256', secret).update(payload).digest().subarray(0, MAC_BYTES);
}
