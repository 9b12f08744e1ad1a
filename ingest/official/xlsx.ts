import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** A cell value from a file. `FORMULA` replaces a formula, because a computed result is not a published value. */
export type Cell = string | number | null | typeof FORMULA;
export const FORMULA = Symbol('a formula');

/** A row in a sheet. Missing cells are null. */
export interface SheetRow {
  number: number;
  cells: Cell[];
}

/** Maximum cell and sheet sizes, equal to those of spreadsheet programs. */
const MAX_CELL_CHARACTERS = 32_767;
const MAX_ROWS = 1_048_576;
/** Maximum number of columns that are read; further columns are ignored. */
const MAX_COLUMNS = 1_000;
const MAX_PARTS = 1_000;
/** Maximum number of shared strings, which are held in memory. */
const MAX_TEXTS = 2_000_000;
/** Maximum unpacked sizes in bytes: the list of sheets, the shared strings, and a sheet, which is streamed. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;
const MAX_TEXTS_BYTES = 96 * 1024 * 1024;
const MAX_SHEET_BYTES = 4 * 1024 * 1024 * 1024;
/** Maximum number of characters in one tag or text node, which the parser holds in memory. */
const MAX_PENDING = 256 * 1024;
/** Maximum nesting depth of elements. */
const MAX_DEPTH = 100;

/** A workbook that exceeds a limit. The message contains the file, the position and the limit. */
export class WorkbookLimit extends Error {
  override name = 'WorkbookLimit';
}

type Refuse = (place: string, limit: string) => never;

/**
 * Streams the rows of a workbook's first sheet, one batch per chunk. Only the shared strings, which are a separate part
 * of the workbook, are held in memory.
 * @throws WorkbookLimit if a limit is exceeded; another error if the file is not a workbook, truncated or invalid
 */
export async function* xlsxRows(path: string, signal: AbortSignal): AsyncGenerator<SheetRow[]> {
  const refuse: Refuse = (place, limit) => {
    throw new WorkbookLimit(`${place} of ${basename(path)} has more than ${limit}`);
  };
  const zip = await openPromise(path, { autoClose: false });
  try {
    const parts = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      if (parts.size === MAX_PARTS) refuse('the archive', `${count(MAX_PARTS)} parts`);
      parts.set(entry.fileName, entry);
    }
    const sheet = parts.get(await firstSheet(zip, parts, refuse));
    if (sheet === undefined) throw new Error('it has no sheet');
    const texts = await readTexts(zip, parts.get('xl/sharedStrings.xml'), refuse);
    const reader = new SheetReader(texts, refuse);
    for await (const chunk of await openPart(zip, sheet, MAX_SHEET_BYTES, refuse)) {
      signal.throwIfAborted();
      const rows = reader.read(chunk);
      if (rows.length > 0) yield rows;
    }
    reader.close();
  } finally {
    zip.close();
  }
}

const count = (number: number): string => number.toLocaleString('en-US');

async function openPart(zip: ZipFile, entry: Entry, maxBytes: number, refuse: Refuse): Promise<Readable> {
  // The archive reader rejects entries whose unpacked size differs from the stated size.
  if (entry.uncompressedSize > maxBytes) refuse(entry.fileName, `${count(maxBytes)} bytes unpacked`);
  const stream = await zip.openReadStreamPromise(entry);
  stream.setEncoding('utf8');
  return stream;
}

/** Returns the name of the first sheet's part. */
async function firstSheet(zip: ZipFile, parts: ReadonlyMap<string, Entry>, refuse: Refuse): Promise<string> {
  const book = parts.get('xl/workbook.xml');
  const links = parts.get('xl/_rels/workbook.xml.rels');
  let id: string | undefined;
  if (book)
    await parsePart(zip, book, refuse, ({ name, attributes }) => {
      if (name === 'sheet') id ??= attributes['r:id'];
    });
  let target: string | undefined;
  if (links && id !== undefined)
    await parsePart(zip, links, refuse, ({ name, attributes }) => {
      if (name === 'Relationship' && attributes.Id === id) target = attributes.Target;
    });
  if (target === undefined) return 'xl/worksheets/sheet1.xml';
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

interface Tag {
  name: string;
  attributes: Readonly<Record<string, string>>;
}

interface PartHandlers {
  open(tag: Tag): void;
  close?(tag: string): void;
  text?(text: string): void;
  /** Returns the parser's position in the part, for messages. */
  place(): string;
}

/** Parses a part chunk by chunk, in bounded memory. */
class PartParser {
  readonly #parser = new SaxesParser();
  readonly #handlers: PartHandlers;
  readonly #refuse: Refuse;
  #pending = 0;
  #depth = 0;

  constructor(handlers: PartHandlers, refuse: Refuse) {
    this.#handlers = handlers;
    this.#refuse = refuse;
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.#pending = 0;
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH) refuse(handlers.place(), `${MAX_DEPTH} elements within each other`);
      handlers.open({ name: local(name), attributes: attributes as Record<string, string> });
    });
    parser.on('closetag', ({ name }) => {
      this.#pending = 0;
      this.#depth -= 1;
      handlers.close?.(local(name));
    });
    parser.on('text', (text) => {
      this.#pending = 0;
      handlers.text?.(text);
    });
    parser.on('cdata', (text) => {
      this.#pending = 0;
      handlers.text?.(text);
    });
    parser.on('comment', () => {
      this.#pending = 0;
    });
  }

  write(chunk: string): void {
    // An event in this chunk resets the counter, so the counter may be up to one chunk below the amount of pending
    // data.
    this.#pending += chunk.length;
    this.#parser.write(chunk);
    if (this.#pending > MAX_PENDING)
      this.#refuse(this.#handlers.place(), `${count(MAX_PENDING)} characters in one text or tag`);
  }

  /** @throws if the part is incomplete */
  close(): void {
    this.#parser.close();
  }
}

async function parsePart(zip: ZipFile, entry: Entry, refuse: Refuse, open: (tag: Tag) => void): Promise<void> {
  const parser = new PartParser({ open, place: () => entry.fileName }, refuse);
  for await (const chunk of await openPart(zip, entry, MAX_LIST_BYTES, refuse)) parser.write(chunk);
  parser.close();
}

/** Removes the namespace prefix. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1);

async function readTexts(zip: ZipFile, entry: Entry | undefined, refuse: Refuse): Promise<string[]> {
  const texts: string[] = [];
  if (entry === undefined) return texts;
  const place = () => `shared text ${texts.length + 1}`;
  let text = '';
  let inText = false;
  let reading = 0;
  const parser = new PartParser(
    {
      place,
      open({ name }) {
        if (name === 'si') text = '';
        else if (name === 'rPh') reading++;
        else if (name === 't') inText = reading === 0;
      },
      text(part) {
        if (!inText) return;
        text += part;
        if (text.length > MAX_CELL_CHARACTERS) refuse(place(), `${count(MAX_CELL_CHARACTERS)} characters`);
      },
      close(name) {
        if (name === 't') inText = false;
        else if (name === 'rPh') reading--;
        else if (name === 'si') {
          if (texts.length === MAX_TEXTS) refuse(entry.fileName, `${count(MAX_TEXTS)} texts`);
          texts.push(text);
        }
      },
    },
    refuse,
  );
  for await (const chunk of await openPart(zip, entry, MAX_TEXTS_BYTES, refuse)) parser.write(chunk);
  parser.close();
  return texts;
}

class SheetReader {
  readonly #parser: PartParser;
  readonly #texts: readonly string[];
  readonly #refuse: Refuse;
  #rows: SheetRow[] = [];
  #row: SheetRow | null = null;
  #number = 0;
  /** Number of rows that have started. Row numbers may repeat, so they cannot be used. */
  #started = 0;
  #column = 0;
  #type = 'n';
  #value = '';
  #formula = false;
  #inValue = false;

  constructor(texts: readonly string[], refuse: Refuse) {
    this.#texts = texts;
    this.#refuse = refuse;
    this.#parser = new PartParser(
      {
        place: () => this.#place(),
        open: ({ name, attributes }) => this.#open(name, attributes),
        close: (name) => this.#close(name),
        text: (text) => this.#text(text),
      },
      refuse,
    );
  }

  /** Returns the rows that end in this chunk. */
  read(chunk: string): SheetRow[] {
    this.#rows = [];
    this.#parser.write(chunk);
    return this.#rows;
  }

  /** @throws if the sheet is incomplete */
  close(): void {
    this.#parser.close();
  }

  #place(): string {
    if (this.#row === null) return 'the sheet';
    return this.#column < 0 ? `row ${this.#number}` : `cell ${columnName(this.#column)}${this.#number}`;
  }

  #text(text: string): void {
    if (!this.#inValue) return;
    this.#value += text;
    if (this.#value.length > MAX_CELL_CHARACTERS)
      this.#refuse(this.#place(), `${count(MAX_CELL_CHARACTERS)} characters`);
  }

  #open(tag: string, attributes: Readonly<Record<string, string>>): void {
    if (tag === 'v' || tag === 't') this.#inValue = true;
    else if (tag === 'c') {
      this.#column = attributes.r === undefined ? this.#column + 1 : columnOf(attributes.r);
      this.#type = attributes.t ?? 'n';
      this.#value = '';
      this.#formula = false;
    } else if (tag === 'f') this.#formula = true;
    else if (tag === 'row') {
      this.#number = attributes.r === undefined ? this.#number + 1 : Number(attributes.r);
      if (!(Number.isInteger(this.#number) && this.#number > 0)) throw new Error('a row has no number');
      if (this.#number > MAX_ROWS || this.#started === MAX_ROWS) this.#refuse('the sheet', `${count(MAX_ROWS)} rows`);
      this.#started += 1;
      this.#column = -1;
      this.#row = { number: this.#number, cells: [] };
    }
  }

  #close(tag: string): void {
    if (tag === 'v' || tag === 't') this.#inValue = false;
    else if (tag === 'c') this.#cell();
    else if (tag === 'row' && this.#row) {
      this.#rows.push(this.#row);
      this.#row = null;
    }
  }

  #cell(): void {
    const cells = this.#row?.cells;
    if (cells === undefined || this.#column < 0 || this.#column >= MAX_COLUMNS) return;
    while (cells.length < this.#column) cells.push(null);
    cells[this.#column] = this.#formula ? FORMULA : this.#read();
  }

  #read(): Cell {
    const value = this.#value;
    if (value === '') return null;
    if (this.#type === 's') return this.#texts[Number(value)] ?? null;
    if (this.#type === 'e') return null;
    if (this.#type !== 'n') return value;
    const number = Number(value);
    return Number.isFinite(number) ? number : value;
  }
}

/** Returns the zero-based column of a cell reference: 54 for `BC7`. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26 || column > MAX_COLUMNS) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

/** Returns the letters of a column: `BC` for 54. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}
