import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** `FORMULA` replaces a formula, because a computed result is not a published value. */
export type Cell = string | number | null | typeof FORMULA;
export const FORMULA = Symbol('a formula');

export interface TableRow {
  line: number;
  fields: readonly Cell[];
}

/** Maximum cell and sheet sizes, equal to those of spreadsheet programs. */
const MAX_CELL_CHARACTERS = 32_767;
const MAX_ROWS = 1_048_576;
/** Further columns are ignored. */
const MAX_COLUMNS = 1_000;
const MAX_PARTS = 1_000;
const MAX_TEXTS = 2_000_000;
/** Maximum unpacked sizes in bytes: the list of sheets, the shared strings, and a sheet, which is streamed. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;
const MAX_TEXTS_BYTES = 96 * 1024 * 1024;
const MAX_SHEET_BYTES = 4 * 1024 * 1024 * 1024;
/** Maximum number of characters in one tag or text node, which the parser holds in memory. */
const MAX_PENDING = 256 * 1024;
const MAX_DEPTH = 100;

/** A workbook that exceeds a limit. */
export class WorkbookLimit extends Error {
  override name = 'WorkbookLimit';
}

type Refuse = (place: string, limit: string) => never;

/**
 * Streams the rows of the first sheet, a batch per chunk. Only the shared strings are held in memory.
 * @throws WorkbookLimit, or another error if the file is not a workbook, cut or invalid
 */
export async function* xlsxRows(path: string, signal: AbortSignal): AsyncGenerator<TableRow[]> {
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
    const reader = sheetReader(texts, refuse);
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

async function firstSheet(zip: ZipFile, parts: ReadonlyMap<string, Entry>, refuse: Refuse): Promise<string> {
  const book = parts.get('xl/workbook.xml');
  const links = parts.get('xl/_rels/workbook.xml.rels');
  let id: string | undefined;
  if (book)
    await parseList(zip, book, refuse, (name, attributes) => {
      if (name === 'sheet') id ??= attributes['r:id'];
    });
  let target: string | undefined;
  if (links && id !== undefined)
    await parseList(zip, links, refuse, (name, attributes) => {
      if (name === 'Relationship' && attributes.Id === id) target = attributes.Target;
    });
  if (target === undefined) return 'xl/worksheets/sheet1.xml';
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

interface Handlers {
  open(tag: string, attributes: Readonly<Record<string, string>>): void;
  close?(tag: string): void;
  text?(text: string): void;
  place(): string;
}

/** Creates a parser with bounded memory. `close` throws if the part is incomplete. */
function partParser({ open, close, text, place }: Handlers, refuse: Refuse) {
  const parser = new SaxesParser();
  let pending = 0;
  let depth = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    pending = 0;
    depth += 1;
    if (depth > MAX_DEPTH) refuse(place(), `${MAX_DEPTH} elements within each other`);
    open(local(name), attributes as Record<string, string>);
  });
  parser.on('closetag', ({ name }) => {
    pending = 0;
    depth -= 1;
    close?.(local(name));
  });
  for (const event of ['text', 'cdata', 'comment'] as const)
    parser.on(event, (read) => {
      pending = 0;
      if (event !== 'comment') text?.(read);
    });
  return {
    write(chunk: string): void {
      // An event in this chunk resets the counter, which may then be up to one chunk below the pending amount.
      pending += chunk.length;
      parser.write(chunk);
      if (pending > MAX_PENDING) refuse(place(), `${count(MAX_PENDING)} characters in one text or tag`);
    },
    close: () => void parser.close(),
  };
}

async function parsePart(zip: ZipFile, entry: Entry, maxBytes: number, refuse: Refuse, handlers: Handlers) {
  const parser = partParser(handlers, refuse);
  for await (const chunk of await openPart(zip, entry, maxBytes, refuse)) parser.write(chunk);
  parser.close();
}

const parseList = (zip: ZipFile, entry: Entry, refuse: Refuse, open: Handlers['open']): Promise<void> =>
  parsePart(zip, entry, MAX_LIST_BYTES, refuse, { open, place: () => entry.fileName });

/** Removes the namespace prefix. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1);

async function readTexts(zip: ZipFile, entry: Entry | undefined, refuse: Refuse): Promise<string[]> {
  const texts: string[] = [];
  if (entry === undefined) return texts;
  const place = () => `shared text ${texts.length + 1}`;
  let text = '';
  let inText = false;
  let reading = 0;
  await parsePart(zip, entry, MAX_TEXTS_BYTES, refuse, {
    place,
    open(name) {
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
  });
  return texts;
}

/** `read` returns the rows that end in a chunk; `close` throws if the sheet is incomplete. */
function sheetReader(texts: readonly string[], refuse: Refuse) {
  let rows: TableRow[] = [];
  let fields: Cell[] | null = null;
  let number = 0;
  /** Number of rows. Their stated numbers may repeat. */
  let started = 0;
  let column = 0;
  let type = 'n';
  let value = '';
  let formula = false;
  let inValue = false;
  const place = (): string => {
    if (fields === null) return 'the sheet';
    return column < 0 ? `row ${number}` : `cell ${columnName(column)}${number}`;
  };
  const cell = (): Cell => {
    if (formula) return FORMULA;
    if (value === '' || type === 'e') return null;
    if (type === 's') return texts[Number(value)] ?? null;
    return type === 'n' && Number.isFinite(Number(value)) ? Number(value) : value;
  };
  const parser = partParser(
    {
      place,
      open(tag, { r, t = 'n' }) {
        if (tag === 'v' || tag === 't') inValue = true;
        else if (tag === 'c') {
          column = r === undefined ? column + 1 : columnOf(r);
          type = t;
          value = '';
          formula = false;
        } else if (tag === 'f') formula = true;
        else if (tag === 'row') {
          number = r === undefined ? number + 1 : Number(r);
          if (!(Number.isInteger(number) && number > 0)) throw new Error('a row has no number');
          if (number > MAX_ROWS || started === MAX_ROWS) refuse('the sheet', `${count(MAX_ROWS)} rows`);
          started += 1;
          column = -1;
          fields = [];
        }
      },
      close(tag) {
        if (tag === 'v' || tag === 't') inValue = false;
        else if (tag === 'c' && fields && column >= 0 && column < MAX_COLUMNS) {
          while (fields.length < column) fields.push(null);
          fields[column] = cell();
        } else if (tag === 'row' && fields) {
          rows.push({ line: number, fields });
          fields = null;
        }
      },
      text(part) {
        if (!inValue) return;
        value += part;
        if (value.length > MAX_CELL_CHARACTERS) refuse(place(), `${count(MAX_CELL_CHARACTERS)} characters`);
      },
    },
    refuse,
  );
  return {
    read(chunk: string): TableRow[] {
      rows = [];
      parser.write(chunk);
      return rows;
    },
    close: parser.close,
  };
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
