import { messageOf } from '#domain/message-of.ts';
import type { RawListing, RejectReason } from '../../normalize/listing.ts';
import { offersOf } from '../../normalize/offers.ts';
import type { FeedFile } from './lines.ts';

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
export interface RowMapper<Row, Raw = RawListing> {
  (row: Row): Raw;
  /** Columns or paths by field, without the fields that are functions of the row. */
  columns?: ReadonlyMap<string, string>;
}

export const ID_FIELDS: readonly string[] = ['source_listing_id', 'source_project_id'];

/** `RejectLog` stores slightly fewer. */
const KEPT_CHARACTERS = 2_048;

export interface RowLayout<Row, Raw = RawListing> {
  map: RowMapper<Row, Raw>;
  /** Whether a row is an ad. Others are skipped, and their stored ads withdrawn. By default, all are. */
  isListed?: (row: Row) => boolean;
  /** As of `FeedFile`: `raw` is then the row itself. */
  isUnmapped?: boolean | undefined;
}

/** Reads a file by a layout, which a thread that maps the rows loads with the module of the source. */
export interface FeedReader<Raw = RawListing> {
  (file: FeedFile): AsyncGenerator<FeedRow<Raw>, FeedEnd>;
  layout: RowLayout<never, Raw>;
}

/** Refuses the whole feed. The message has the remedy. */
export class RefusedFeed extends Error {
  override name = 'RefusedFeed';
}

/** @returns the offers of the row */
export function* mappedRows<Row, Raw = RawListing>(
  row: Row,
  { map, isListed = () => true, isUnmapped = false }: RowLayout<Row, Raw>,
): Generator<FeedRow<Raw>> {
  if (isUnmapped) {
    yield { ok: true, raw: row as never, row };
    return;
  }
  const offers = (of: Row): Raw[] => offersOf(map(of) as Raw & object);
  let found: Raw[] = [];
  try {
    if (isListed(row)) found = offers(row);
  } catch (error) {
    if (error instanceof RefusedFeed) throw error;
    yield rejectedRow('malformed_row', `the row could not be mapped: ${messageOf(error)}`, row);
  }
  for (const [at, raw] of found.entries()) yield { ok: true, raw, row, map: (other: Row) => offers(other)[at] as Raw };
}

/** @param row the parsed row, or the text of an unreadable one, which is truncated */
export function rejectedRow(reason: RejectReason, detail: string, row: unknown): FeedRow<never> {
  return { ok: false, reason, detail, row: typeof row === 'string' ? cut(row) : row };
}

/** A copy, so that the rest can be garbage-collected. */
function cut(text: string): string {
  return text.length <= KEPT_CHARACTERS ? text : Buffer.from(text.slice(0, KEPT_CHARACTERS)).toString();
}
