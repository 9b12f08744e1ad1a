import { type Encoding, type Line, MAX_BYTES, readLines } from './lines.ts';

/** `line` is the first line of the record. */
export type CsvRecord =
  | { line: number; fields: string[] }
  | { line: number; fault: 'malformed_row' | 'too_large'; detail: string; text: string };

export interface CsvRecordsOptions {
  path: string;
  signal: AbortSignal;
  /** By default, as the file states it, or as its header uses it. */
  delimiter?: string | undefined;
  encoding?: Encoding | undefined;
}

/** A longer record has an unclosed quote. */
const MAX_RECORD_LINES = 500;
export const INVALID_TEXT = 'the bytes are not UTF-8';
const MISPLACED_QUOTE = 'a quote that is not closed, or stands inside a field';

/**
 * A record ends with the line at which its quotes are even in number. Of a malformed record, only the first line is
 * dropped, so that it does not affect its neighbors.
 */
export class CsvRecords {
  /** Set once the header has been read. Records of another width are rejected, unless only empty fields differ. */
  width: number | null = null;
  /** Without the last columns of the header that have no name. */
  leastWidth: number | null = null;
  lineBreak = true;
  /** Why the file is incomplete, set after reading; null otherwise. */
  cut: string | null = null;
  readonly #options: CsvRecordsOptions;
  /** Lines of an incomplete record, and the number of lines before them. */
  #waiting: Line[] = [];
  #before = 0;
  #lastFaulty = false;
  #openAtEnd = false;
  #stated: string | undefined;
  #delimiter = ',';

  constructor(options: CsvRecordsOptions) {
    this.#options = options;
    this.#stated = options.delimiter;
  }

  /** @throws if the file cannot be read */
  async *batches(): AsyncGenerator<Generator<CsvRecord>> {
    const { path, signal, encoding } = this.#options;
    for await (const lines of readLines(path, { signal, encoding })) yield this.#read(lines, false);
    yield this.#read([], true);
    // A rejected last record is truncated if there is no line break after it, or an open quote at the end. A stray quote in
    // an earlier record does not count: complete records follow it, the last of which is accepted.
    if (this.#lastFaulty && (!this.lineBreak || this.#openAtEnd)) this.cut = 'the feed ends in the middle of a record';
  }

  *#read(added: Line[], atEnd: boolean): Generator<CsvRecord> {
    const lines = this.#waiting.concat(added);
    this.lineBreak = added.at(-1)?.ended ?? this.lineBreak;
    let at = 0;
    while (at < lines.length) {
      const end = this.#endOf(lines, at, atEnd);
      if (end === null) break;
      const own = lines.slice(at, end);
      const text = own.map((line) => line.text).join('\n');
      const line = this.#before + at + 1;
      at = end;
      if (text.trim() === '') continue;
      const first = own[0] as Line;
      const [, separator] = (line === 1 && SEPARATOR.exec(text)) || [];
      if (separator !== undefined) {
        this.#stated = separator;
        continue;
      }
      if (this.width === null) this.#delimiter = this.#stated ?? delimiterOf(first.text);
      const quoted = first.tooLarge ? null : fieldsOf(text, this.#delimiter);
      const isLiteral = this.#delimiter === '\t' && !first.tooLarge && !this.#hasWidth(quoted);
      const fields = isLiteral ? (literalFields(first.text) ?? quoted) : quoted;
      const isWhole = fields !== null && this.#hasWidth(fields);
      if (isWhole && isLiteral) at -= own.splice(1).length;
      this.#lastFaulty = !isWhole || own.some(({ invalid }) => invalid);
      if (isWhole && !this.#lastFaulty) yield { line, fields };
      else if (first.tooLarge)
        yield { line, fault: 'too_large', detail: `a record of more than ${MAX_BYTES} bytes`, text: first.text };
      else {
        const misshapen =
          fields === null ? MISPLACED_QUOTE : `${fields.length} fields where the header has ${this.width}`;
        const detail = first.invalid || isWhole ? INVALID_TEXT : misshapen;
        yield { line, fault: 'malformed_row', detail, text: first.text };
        // The lines after an open quote may be other records.
        if (!isWhole) at += 1 - own.length;
      }
    }
    this.#before += at;
    this.#waiting = lines.slice(at);
  }

  #hasWidth(fields: readonly string[] | null): boolean {
    const { width, leastWidth } = this;
    if (fields === null) return false;
    if (width === null || fields.length === width) return true;
    return fields.length < width
      ? fields.length >= (leastWidth ?? width)
      : fields.slice(width).every((field) => field.trim() === '');
  }

  /** Returns the position after a record; null if it may continue. */
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
    // An open quote drops only the first line, unless later lines may close it.
    return to > at && (atEnd || to < lines.length) ? at + 1 : null;
  }
}

/** Spreadsheets write it before the header. */
const SEPARATOR = /^"?sep=(.)"?$/i;

function delimiterOf(header: string): string {
  const counts = [',', ';', '\t', '|'].map((mark) => ({ mark, count: header.split(mark).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).mark;
}

function hasOddQuotes(text: string): boolean {
  let odd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) odd = !odd;
  return odd;
}

/** Tab-separated fields whose quotes are text: `5" pipes`. Null if one begins with a quote and may continue in the next line. */
function literalFields(text: string): string[] | null {
  const fields = text.split('\t').map((field) => (field.startsWith('"') ? fieldsOf(field, '\t') : [field]));
  return fields.some((field) => field === null) ? null : (fields as string[][]).flat();
}

const QUOTE = 0x22;
/** A text as spreadsheets write it, so that they do not read it as a number: `="0042"`. */
export const TEXT_FORMULA = /^="([^"]*)"$/;

/** Returns null if a quote is inside a field or is not closed. */
export function fieldsOf(text: string, delimiter: string): string[] | null {
  if (!text.includes('"')) return text.split(delimiter);
  const fields: string[] = [];
  for (let at = 0; ; ) {
    let end: number;
    if (text.charCodeAt(at) === QUOTE) {
      let close = text.indexOf('"', at + 1);
      let doubled = false;
      while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) {
        doubled = true;
        close = text.indexOf('"', close + 2);
      }
      if (close === -1) return null;
      const field = text.slice(at + 1, close);
      fields.push(doubled ? field.replaceAll('""', '"') : field);
      end = close + 1;
      if (end < text.length && !text.startsWith(delimiter, end)) return null;
    } else {
      end = text.indexOf(delimiter, at);
      if (end === -1) end = text.length;
      const field = text.slice(at, end);
      if (field.includes('"') && !TEXT_FORMULA.test(field)) return null;
      fields.push(field);
    }
    if (end >= text.length) return fields;
    at = end + delimiter.length;
  }
}
