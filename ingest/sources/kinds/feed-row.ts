import { messageOf } from '#domain/message-of.ts';
import type { RawListing, RejectReason } from '../../normalize/listing.ts';

/** A row of a feed: what it was mapped to, or why it could not be read. `row` is what a person will want to see. */
export type FeedRow<Raw = RawListing> =
  | { ok: true; raw: Raw; row: unknown }
  | { ok: false; reason: RejectReason; detail: string; row: unknown };

/** What a reader knows of the end of a feed once it has come to it. */
export interface FeedEnd {
  /** Why the feed is not whole; null where it ended as its format ends. What a cut feed lacks is not gone. */
  cut: string | null;
  /** Whether the last line ended with a line break; null where the feed has no lines. */
  lineBreak: boolean | null;
}

/** Renames the fields of a row to ours. It may throw: the row is then rejected as `malformed_row`. */
export type RowMapper<Row, Raw = RawListing> = (row: Row) => Raw;

/** How much of an unreadable row is kept for a person to look at, in characters. */
const KEPT_CHARACTERS = 2_048;

export function mappedRow<Row, Raw = RawListing>(row: Row, map: RowMapper<Row, Raw>): FeedRow<Raw> {
  try {
    return { ok: true, raw: map(row), row };
  } catch (error) {
    return rejectedRow('malformed_row', `the row could not be mapped: ${messageOf(error)}`, row);
  }
}

/** @param row the parsed row, or its text where it could not be parsed, of which only the start is kept */
export function rejectedRow(reason: RejectReason, detail: string, row: unknown): FeedRow<never> {
  return { ok: false, reason, detail, row: typeof row === 'string' ? cut(row) : row };
}

/** The start of a text, copied, so that the text it was cut from can be freed. */
export function cut(text: string): string {
  return text.length <= KEPT_CHARACTERS ? text : Buffer.from(text.slice(0, KEPT_CHARACTERS)).toString();
}
