import { messageOf } from '#domain/message-of.ts';
import type { RawListing } from '../../normalize/listing.ts';
import { INVALID_TEXT } from './csv-records.ts';
import type { FeedEnd, FeedRow } from './feed-row.ts';
import { cut, mappedRow, type RowMapper, rejectedRow } from './feed-row.ts';
import { type Encoding, MAX_BYTES, readLines } from './lines.ts';

export type JsonRow = Record<string, unknown>;

export interface NdjsonFile<Raw = RawListing> {
  path: string;
  map: RowMapper<JsonRow, Raw>;
  signal: AbortSignal;
  /** Defaults to UTF-8. */
  encoding?: Encoding;
}

/** Reported if a feed's last line has no line break and cannot be parsed. */
const CUT_LINE = 'the feed ends in the middle of a line';

export const ndjson =
  <Raw = RawListing>(options: Omit<NdjsonFile<Raw>, 'path' | 'signal'>) =>
  (file: Pick<NdjsonFile, 'path' | 'signal'>): AsyncGenerator<FeedRow<Raw>, FeedEnd> =>
    ndjsonFile({ ...options, ...file });

/**
 * Streams a file with one JSON object per line. A malformed line is one rejected row.
 * @throws if it cannot be read, or is one JSON array
 */
export async function* ndjsonFile<Raw = RawListing>({
  path,
  map,
  signal,
  encoding,
}: NdjsonFile<Raw>): AsyncGenerator<FeedRow<Raw>, FeedEnd> {
  const end: FeedEnd = { cut: null, lineBreak: true };
  let isFirst = true;
  for await (const lines of readLines(path, { signal, encoding })) {
    for (const { text, tooLarge, invalid, ended } of lines) {
      end.lineBreak = ended;
      if (isFirst && text.trimStart().startsWith('['))
        throw new Error(
          `${path} is one JSON array, but one JSON object per line is expected. Convert it: jq -c '.[]' ${path} > feed.ndjson`,
        );
      isFirst &&= text.trim() === '';
      if (tooLarge) {
        yield rejectedRow('too_large', `a line of more than ${MAX_BYTES} bytes`, cut(text));
        if (!ended) end.cut = CUT_LINE;
      } else if (invalid) {
        yield rejectedRow('malformed_row', INVALID_TEXT, cut(text));
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
    row = parseJson(text);
  } catch (error) {
    return rejectedRow('malformed_row', messageOf(error), text);
  }
  return isJsonRow(row) ? mappedRow(row, map) : rejectedRow('malformed_row', 'the row is not a JSON object', text);
}

/** A fast precheck for integers above 2^53, which have at least 16 digits. */
const MAYBE_LARGE_INTEGER = /\d{16}/;

/**
 * Parses JSON. An integer that a number cannot represent becomes a text with its digits as written, so that the ids of
 * two ads stay distinct.
 * @throws if the text is not JSON
 */
export function parseJson(text: string): unknown {
  if (!MAYBE_LARGE_INTEGER.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?[\d.]+$/.test(source ?? '')
      ? source
      : value,
  );
}

export function isJsonRow(value: unknown): value is JsonRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
