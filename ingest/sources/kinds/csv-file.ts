import { CsvError, parse } from 'csv-parse/sync';
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
 * it: records are cut out by quote parity before they are parsed, and where a record over several lines does not
 * parse, only its first line is given up and reading goes on with its second.
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

/** The lines of one record: `lines[from]` up to, not including, `lines[to]`. */
interface Span {
  from: number;
  to: number;
}

class RecordReader {
  header: string[] | null = null;
  /** Lines that no whole record has been made of yet. */
  private waiting: Line[] = [];
  readonly maxBytes: number;
  private readonly file: CsvFile;

  constructor(file: CsvFile) {
    this.file = file;
    this.maxBytes = file.maxRecordBytes ?? MAX_RECORD_BYTES;
  }

  *read(added: Line[], atEnd: boolean): Generator<FeedRow> {
    const lines = this.waiting.length === 0 ? added : this.waiting.concat(added);
    let at = 0;
    while (at < lines.length) {
      const spans: Span[] = [];
      let next = at;
      for (let span = this.take(lines, next, atEnd); span !== null; span = this.take(lines, next, atEnd)) {
        spans.push(span);
        next = span.to;
      }
      if (spans.length === 0) break;
      at = yield* this.rowsOf(lines, spans);
    }
    this.waiting = lines.slice(at);
  }

  /** Yields the rows of `spans`; returns the line at which to go on, which lies inside a span that had to be split. */
  private *rowsOf(lines: Line[], spans: Span[]): Generator<FeedRow, number> {
    const texts = spans.map((span) => textOf(lines, span));
    const parsed = parseAll(texts, this.file.delimiter ?? ',');
    for (const [index, span] of spans.entries()) {
      const first = lines[span.from] as Line;
      const text = texts[index] as string;
      if (first.tooLarge) {
        yield rejectedRow('too_large', `a record of more than ${this.maxBytes} bytes`, text);
        continue;
      }
      if (text.trim() === '') continue;
      const fields = parsed[index] as string[] | CsvError;
      const fault = this.faultIn(fields);
      if (fault === null) {
        if (this.header === null) this.header = this.readHeader(fields as string[]);
        else yield mappedRow(rowFrom(this.header, fields as string[]), this.file.map);
        continue;
      }
      yield rejectedRow('malformed_row', fault, first.text);
      if (span.to - span.from > 1) return span.from + 1;
    }
    return (spans.at(-1) as Span).to;
  }

  /** The record that begins at line `at`; null when there is none, or when its end may still be to come. */
  private take(lines: Line[], at: number, atEnd: boolean): Span | null {
    if (at >= lines.length) return null;
    let open = false;
    let size = 0;
    let to = at;
    while (to < lines.length && to - at < MAX_RECORD_LINES && size <= this.maxBytes) {
      const line = lines[to++] as Line;
      if (line.tooLarge) return { from: at, to: at + 1 };
      if (hasOddQuotes(line.text)) open = !open;
      if (!open) return { from: at, to };
      size += line.text.length;
    }
    // The quote stays open: give up on the first line alone, unless the lines to come may still close it.
    return atEnd || to < lines.length ? { from: at, to: at + 1 } : null;
  }

  private faultIn(fields: string[] | CsvError): string | null {
    if (fields instanceof CsvError) return fields.message;
    if (this.header === null || fields.length === this.header.length) return null;
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

function textOf(lines: Line[], { from, to }: Span): string {
  const first = (lines[from] as Line).text;
  if (to - from === 1) return first;
  return lines
    .slice(from, to)
    .map((line) => line.text)
    .join('\n');
}

/** Parses records together, which is what makes it fast; where that fails, halves until the faulty one stands alone. */
function parseAll(texts: string[], delimiter: string): (string[] | CsvError)[] {
  const readable = texts.filter((text) => text !== '');
  if (readable.length < texts.length) {
    const parsed = parseAll(readable, delimiter).values();
    return texts.map((text) => (text === '' ? [] : (parsed.next().value as string[] | CsvError)));
  }
  if (texts.length === 0) return [];
  let fault: CsvError;
  try {
    const records = parse(texts.join('\n'), {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
    }) as string[][];
    if (records.length === texts.length) return records;
    fault = new CsvError('CSV_RECORD_INCONSISTENT_FIELDS_LENGTH', 'the quotes of the record do not pair up');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    fault = error;
  }
  if (texts.length === 1) return [fault];
  const half = texts.length >> 1;
  return [...parseAll(texts.slice(0, half), delimiter), ...parseAll(texts.slice(half), delimiter)];
}

function rowFrom(header: string[], fields: string[]): CsvRow {
  const row: CsvRow = {};
  for (let index = 0; index < header.length; index++) row[header[index] as string] = fields[index] as string;
  return row;
}
