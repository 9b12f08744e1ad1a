import { messageOf } from '#domain/message-of.ts';
import type { RawListing, RejectReason } from '../../normalize/listing.ts';

/** `row` is shown to operators. */
export type FeedRow<Raw = RawListing> =
  | { ok: true; raw: Raw; row: unknown; map?: (row: never) => Raw }
  | { ok: false; reason: RejectReason; detail: string; row: unknown };

export interface FeedEnd {
  /** Why the feed is incomplete; null if it is complete. A truncated feed withdraws no ads. */
  cut: string | null;
  /** Whether the last line ended with a line break; null for feeds without lines. */
  lineBreak: boolean | null;
}

/** If it throws, the row is rejected as `malformed_row`. */
export type RowMapper<Row, Raw = RawListing> = (row: Row) => Raw;

/** `RejectLog` stores slightly fewer. */
const KEPT_CHARACTERS = 2_048;

export function mappedRow<Row, Raw = RawListing>(row: Row, map: RowMapper<Row, Raw>): FeedRow<Raw> {
  try {
    return { ok: true, raw: map(row), row, map };
  } catch (error) {
    return rejectedRow('malformed_row', `the row could not be mapped: ${messageOf(error)}`, row);
  }
}

/** @param row the parsed row, or the text of an unreadable one, which is cut */
export function rejectedRow(reason: RejectReason, detail: string, row: unknown): FeedRow<never> {
  return { ok: false, reason, detail, row: typeof row === 'string' ? cut(row) : row };
}

/** A copy, so that the rest can be garbage-collected. */
function cut(text: string): string {
  return text.length <= KEPT_CHARACTERS ? text : Buffer.from(text.slice(0, KEPT_CHARACTERS)).toString();
}
