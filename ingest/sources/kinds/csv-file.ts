import { CsvError, parse } from 'csv-parse/sync';
import type { FeedRow } from '../source.ts';
import { plainRecord } from './csv-record.ts';
import { mappedRow, type RowMapper, rejectedRow } from './feed-row.ts';
import { type Line, readLines } from './lines.ts';

/** The fields of a row by the names in the header. */
export type CsvRow = Record<string, string>;

export interface CsvFile {
  path: string;
  map: RowMapper<CsvRow>;
  signal: AbortSignal;
  delimiter?: string;
  /** Columns that the header must have: without them the feed is not the one that `map` was written for. */
  required?: readonly string[];
  /** A longer record is rejected as `too_large`. */
  maxRecordBytes?: number;
}

const MAX_RECORD_BYTES = 1024 * 1024;
/** A quoted field may have line breaks. A record of more lines than this has a quote that is not closed. */
const MAX_RECORD_LINES = 500;
/** Records parsed at once. */
const BATCH = 500;
const MISPLACED_QUOTE = 'a quote that is not closed, or stands inside a field';

/**
 * Streams a CSV file with a header line. A malformed record is one rejected row and does not affect its neighbors: where a
 * record of several lines cannot be read, its first line is rejected, and reading goes on with the second. (A stray quote
 * would make the parser read to the end of the file, so it gets whole records, found by counting quotes.)
 * @throws when the file cannot be read, or has no header or not the `required` columns
 */
export async function* csvFile(file: CsvFile): AsyncGenerator<FeedRow> {
  const reader = new RecordReader(file);
  for await (const lines of readLines(file.path, {
    maxBytes: reader.maxBytes,
    signal: file.signal,
  })) {
    yield* reader.read(lines, false);
  }
  yield* reader.read([], true);
  if (reader.header === null) throw new Error(`${file.path} has no header line`);
}

class RecordReader {
  header: string[] | null = null;
  readonly maxBytes: number;
  private readonly file: CsvFile;
  /** Lines that no record has been made from yet. */
  private waiting: Line[] = [];

  constructor(file: CsvFile) {
    this.file = file;
    this.maxBytes = file.maxRecordBytes ?? MAX_RECORD_BYTES;
  }

  *read(added: Line[], atEnd: boolean): Generator<FeedRow> {
    const lines = this.waiting.length === 0 ? added : this.waiting.concat(added);
    let at = 0;
    while (at < lines.length) {
      const batch: { from: number; text: string }[] = [];
      let next: number | null = null;
      for (next = this.endOf(lines, at, atEnd); next !== null && batch.length < BATCH; ) {
        const first = lines[at] as Line;
        if (first.tooLarge) break;
        const text = next === at + 1 ? first.text : joined(lines, at, next);
        if (text.trim() !== '') batch.push({ from: at, text });
        at = next;
        next = this.endOf(lines, at, atEnd);
      }
      const back = yield* this.rows(batch, lines);
      if (back !== null) at = back;
      else if (next === null) break;
      else if (lines[at]?.tooLarge) {
        yield rejectedRow('too_large', `a record of more than ${this.maxBytes} bytes`, (lines[at] as Line).text);
        at += 1;
      }
    }
    this.waiting = lines.slice(at);
  }

  /**
   * The rows of whole records, up to a malformed one, whose first line is rejected.
   * @returns the line to go on with
   */
  private *rows(batch: readonly { from: number; text: string }[], lines: Line[]): Generator<FeedRow, number | null> {
    for (const { from, text } of batch) {
      const fields = plainRecord(text, this.file.delimiter ?? ',') ?? this.parse(text)?.[0];
      if (!fields) {
        yield rejectedRow('malformed_row', MISPLACED_QUOTE, (lines[from] as Line).text);
        return from + 1;
      }
      if (this.header === null) this.header = this.readHeader(fields);
      else if (fields.length === this.header.length) yield mappedRow(rowFrom(this.header, fields), this.file.map);
      else {
        const detail = `${fields.length} fields where the header has ${this.header.length}`;
        yield rejectedRow('malformed_row', detail, (lines[from] as Line).text);
        return from + 1;
      }
    }
    return null;
  }

  /** Null where the text is not CSV. */
  private parse(text: string): string[][] | null {
    try {
      return parse(text, { delimiter: this.file.delimiter ?? ',', relax_column_count: true, record_delimiter: '\n' });
    } catch (error) {
      if (error instanceof CsvError) return null;
      throw error;
    }
  }

  /** Where the record that begins at line `at` ends; null when there is none, or when its end may be in lines to come. */
  private endOf(lines: Line[], at: number, atEnd: boolean): number | null {
    let open = false;
    let size = 0;
    let to = at;
    while (to < lines.length && to - at < MAX_RECORD_LINES && size <= this.maxBytes) {
      const line = lines[to++] as Line;
      if (line.tooLarge) return at + 1;
      if (hasOddQuotes(line.text)) open = !open;
      if (!open) return to;
      size += line.text.length;
    }
    // The quote is still open: the first line is malformed, unless lines to come may close the quote.
    return to > at && (atEnd || to < lines.length) ? at + 1 : null;
  }

  private readHeader(fields: string[]): string[] {
    const header = fields.map((name) => name.trim());
    const missing = (this.file.required ?? []).filter((name) => !header.includes(name));
    if (missing.length > 0) throw new Error(`${this.file.path} has no column ${missing.join(', ')}`);
    return header;
  }
}

function hasOddQuotes(text: string): boolean {
  let odd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) odd = !odd;
  return odd;
}

function joined(lines: Line[], from: number, to: number): string {
  return lines
    .slice(from, to)
    .map((line) => line.text)
    .join('\n');
}

function rowFrom(header: string[], fields: string[]): CsvRow {
  const row: CsvRow = {};
  for (let index = 0; index < header.length; index++) row[header[index] as string] = fields[index] as string;
  return row;
}
