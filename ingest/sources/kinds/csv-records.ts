import { fieldsOf } from './csv-record.ts';
import { type Encoding, type Line, MAX_BYTES, readLines } from './lines.ts';

/** A record with the number of its first line, or a line that cannot be parsed. */
export type CsvRecord =
  | { line: number; fields: string[] }
  | { line: number; fault: 'malformed_row' | 'too_large'; detail: string; text: string };

export interface CsvRecordsOptions {
  path: string;
  signal: AbortSignal;
  delimiter?: string | undefined;
  encoding?: Encoding | undefined;
}

/** Maximum number of lines per record, by line breaks in quotes. A longer record has an unclosed quote. */
const MAX_RECORD_LINES = 500;
const BATCH = 500;
export const INVALID_TEXT = 'the bytes are not UTF-8';
const MISPLACED_QUOTE = 'a quote that is not closed, or stands inside a field';

interface Complete {
  from: number;
  text: string;
  invalid: boolean;
}

/**
 * Reads CSV records. A malformed record is one fault and does not affect its neighbors: of a record over several lines,
 * only the first line is dropped, and reading continues at the second. From a stray quote, the parser would read to the
 * end of the file, so it receives only complete records, whose quotes are even in number.
 */
export class CsvRecords {
  /** Number of fields per record, once the header has been read. Other records are rejected. */
  width: number | null = null;
  lineBreak = true;
  /** Reason why the file is incomplete, set after reading if the last record is truncated; null otherwise. */
  cut: string | null = null;
  readonly #options: CsvRecordsOptions;
  /** Lines that do not form a complete record yet, and the number of lines before them. */
  #waiting: Line[] = [];
  #before = 0;
  /** Whether the last record was rejected, and whether a quote is open at the end. */
  #lastFaulty = false;
  #openAtEnd = false;

  constructor(options: CsvRecordsOptions) {
    this.#options = options;
  }

  /** @throws if the file cannot be read */
  async *batches(): AsyncGenerator<Generator<CsvRecord>> {
    const { path, signal, encoding } = this.#options;
    for await (const lines of readLines(path, { signal, encoding })) yield this.#read(lines, false);
    yield this.#read([], true);
    // A rejected last record is cut if there is no line break after it, or an open quote at the end. A stray quote in
    // an earlier record does not count: complete records follow it, the last of which is accepted.
    if (this.#lastFaulty && (!this.lineBreak || this.#openAtEnd)) this.cut = 'the feed ends in the middle of a record';
  }

  *#read(added: Line[], atEnd: boolean): Generator<CsvRecord> {
    const lines = this.#waiting.length === 0 ? added : this.#waiting.concat(added);
    this.lineBreak = added.at(-1)?.ended ?? this.lineBreak;
    let at = 0;
    while (at < lines.length) {
      const batch: Complete[] = [];
      let next: number | null = null;
      for (next = this.#endOf(lines, at, atEnd); next !== null && batch.length < BATCH; ) {
        const first = lines[at] as Line;
        if (first.tooLarge) break;
        const text = next === at + 1 ? first.text : joined(lines, at, next);
        if (text.trim() !== '')
          batch.push({ from: at, text, invalid: lines.slice(at, next).some((line) => line.invalid) });
        at = next;
        next = this.#endOf(lines, at, atEnd);
      }
      const back = yield* this.#records(batch, lines);
      if (back !== null) at = back;
      else if (next === null) break;
      else if (lines[at]?.tooLarge) {
        yield this.#fault(at, lines, 'too_large', `a record of more than ${MAX_BYTES} bytes`);
        at += 1;
      }
    }
    this.#before += at;
    this.#waiting = lines.slice(at);
  }

  /**
   * Yields complete records. Rejects the first line of a malformed record.
   * @returns the line after the rejected one, at which reading continues; null if no record was malformed
   */
  *#records(batch: readonly Complete[], lines: Line[]): Generator<CsvRecord, number | null> {
    for (const { from, text, invalid } of batch) {
      const fields = fieldsOf(text, this.#options.delimiter ?? ',');
      if (fields === null || (this.width !== null && fields.length !== this.width)) {
        const detail = fields === null ? MISPLACED_QUOTE : `${fields.length} fields where the header has ${this.width}`;
        yield this.#fault(from, lines, 'malformed_row', lines[from]?.invalid ? INVALID_TEXT : detail);
        return from + 1;
      }
      // The lines after an open quote belong to other records, so that a complete record alone is rejected as a whole.
      if (invalid) {
        yield this.#fault(from, lines, 'malformed_row', INVALID_TEXT);
        continue;
      }
      this.#lastFaulty = false;
      yield { line: this.#before + from + 1, fields };
    }
    return null;
  }

  #fault(at: number, lines: Line[], fault: 'malformed_row' | 'too_large', detail: string): CsvRecord {
    this.#lastFaulty = true;
    return { line: this.#before + at + 1, fault, detail, text: (lines[at] as Line).text };
  }

  /** Returns the position after the record at line `at`; null if no line is left, or if it may continue. */
  #endOf(lines: Line[], at: number, atEnd: boolean): number | null {
    let open = false;
    let size = 0;
    let to = at;
    while (to < lines.length && to - at < MAX_RECORD_LINES && size <= MAX_BYTES) {
      const line = lines[to++] as Line;
      if (line.tooLarge) return at + 1;
      if (hasOddQuotes(line.text)) open = !open;
      if (!open) return to;
      size += line.text.length;
    }
    if (atEnd && to === lines.length) this.#openAtEnd = true;
    // The quote remains open: drops only the first line, unless later lines may close it.
    return to > at && (atEnd || to < lines.length) ? at + 1 : null;
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
