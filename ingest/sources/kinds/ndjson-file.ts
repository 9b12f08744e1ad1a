import { messageOf } from '#domain/message-of.ts';
import type { RawListing } from '../../normalize/listing.ts';
import type { FeedEnd, FeedRow } from './feed-row.ts';
import { cut, mappedRow, type RowMapper, rejectedRow } from './feed-row.ts';
import { readLines } from './lines.ts';

/** A JSON object with fields of any type. */
export type JsonRow = Record<string, unknown>;

export interface NdjsonFile<Raw = RawListing> {
  path: string;
  map: RowMapper<JsonRow, Raw>;
  signal: AbortSignal;
  /** Maximum line size; a longer line is rejected as `too_large`. */
  maxLineBytes?: number;
}

const MAX_LINE_BYTES = 1024 * 1024;

/** Reported if a feed's last line has no line break and cannot be parsed. */
const CUT_LINE = 'the feed ends in the middle of a line';

/** Streams a file with one JSON object per line. A malformed line is one rejected row. @throws if it cannot be read */
export async function* ndjsonFile<Raw = RawListing>({
  path,
  map,
  signal,
  maxLineBytes = MAX_LINE_BYTES,
}: NdjsonFile<Raw>): AsyncGenerator<FeedRow<Raw>, FeedEnd> {
  const end: FeedEnd = { cut: null, lineBreak: true };
  for await (const lines of readLines(path, { maxBytes: maxLineBytes, signal })) {
    for (const { text, tooLarge, ended } of lines) {
      end.lineBreak = ended;
      if (tooLarge) {
        yield rejectedRow('too_large', `a line of more than ${maxLineBytes} bytes`, cut(text));
        if (!ended) end.cut = CUT_LINE;
      } else if (text.trim() !== '') {
        const row = jsonRow(text, map);
        if (!ended && !row.ok) end.cut = CUT_LINE;
        yield row;
      }
    }
  }
  return end;
}

function jsonRow<Raw>(text: string, map: RowMapper<JsonRow, Raw>): FeedRow<Raw> {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch (error) {
    return rejectedRow('malformed_row', messageOf(error), text);
  }
  return isJsonRow(row) ? mappedRow(row, map) : rejectedRow('malformed_row', 'the row is not a JSON object', text);
}

export function isJsonRow(value: unknown): value is JsonRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
