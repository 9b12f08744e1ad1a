import type { FeedRow } from '../../record.ts';
import { mappedRow, type RowMapper, rejectedRow } from './feed-row.ts';
import { type Line, readLines } from './lines.ts';

/** A row of CSV, by the names in the header. */
export type CsvRow = Record<string, string>;

export interface CsvFile {
  path: string;
  map: RowMapper<CsvRow>;
  signal: AbortSignal;
  delimiter?: string;
  /** Columns without which the feed is not the one that `map` was written for. */
  required?: readonly string[];
  /** A longer record is rejected as `too_large`. */
  maxRecordBytes?: number;
}

const MAX_RECORD_BYTES = 1024 * 1024;
/** A quoted field may hold line breaks; a record that runs over more lines than this has a quote that nobody closed. */
const MAX_RECORD_LINES = 500;

/**
 * Streams a CSV file with a header line. A malformed record is one rejected row and never takes its neighbours with
 * it: where a record over several lines cannot be read, only its first line is given up, and reading goes on with its
 * second. (A general parser takes a stray quote to the end of the file.)
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
  /** Lines that no whole record has been made of yet. */
  private waiting: Line[] = [];

  constructor(file: CsvFile) {
    this.file = file;
    this.maxBytes = file.maxRecordBytes ?? MAX_RECORD_BYTES;
  }

  *read(added: Line[], atEnd: boolean): Generator<FeedRow> {
    const lines = this.waiting.length === 0 ? added : this.waiting.concat(added);
    let at = 0;
    for (let end = this.endOf(lines, at, atEnd); end !== null; end = this.endOf(lines, at, atEnd)) {
      const first = lines[at] as Line;
      const text = end === at + 1 ? first.text : joined(lines, at, end);
      let next = end;
      if (first.tooLarge) {
        yield rejectedRow('too_large', `a record of more than ${this.maxBytes} bytes`, text);
      } else if (text.trim() !== '') {
        const fields = this.fieldsOf(text);
        if (typeof fields === 'string') {
          next = at + 1;
          yield rejectedRow('malformed_row', fields, first.text);
        } else if (this.header === null) this.header = this.readHeader(fields);
        else yield mappedRow(rowFrom(this.header, fields), this.file.map);
      }
      at = next;
    }
    this.waiting = lines.slice(at);
  }

  /** Where the record that begins at line `at` ends; null when there is none, or when its end may still be to come. */
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
    // The quote stays open: give up on the first line alone, unless the lines to come may still close it.
    return to > at && (atEnd || to < lines.length) ? at + 1 : null;
  }

  /** The fields of a record, or what is wrong with it. */
  private fieldsOf(text: string): string[] | string {
    const fields = splitFields(text, this.file.delimiter ?? ',');
    if (fields === null) return 'a quote that is not closed, or stands inside a field';
    if (this.header === null || fields.length === this.header.length) return fields;
    return `${fields.length} fields where the header has ${this.header.length}`;
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

/** The fields of one record as RFC 4180 has them; null when its quotes do not stand where they may. */
function splitFields(text: string, delimiter: string): string[] | null {
  if (!text.includes('"')) return text.split(delimiter);
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    let end: number;
    if (text.startsWith('"', at)) {
      const close = closingQuote(text, at + 1);
      end = close + 1;
      if (close === -1 || (end < text.length && text[end] !== delimiter)) return null;
      const field = text.slice(at + 1, close);
      fields.push(field.includes('"') ? field.replaceAll('""', '"') : field);
    } else {
      end = text.indexOf(delimiter, at);
      if (end === -1) end = text.length;
      const field = text.slice(at, end);
      if (field.includes('"')) return null;
      fields.push(field);
    }
    if (end === text.length) return fields;
    at = end + 1;
  }
}

/** The first quote from `at` on that is not doubled; -1 when there is none. */
function closingQuote(text: string, at: number): number {
  let quote = text.indexOf('"', at);
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote;
}

function rowFrom(header: string[], fields: string[]): CsvRow {
  const row: CsvRow = {};
  for (let index = 0; index < header.length; index++) row[header[index] as string] = fields[index] as string;
  return row;
}
