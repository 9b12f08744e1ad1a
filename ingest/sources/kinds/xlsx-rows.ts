import { basename } from 'node:path';
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

interface Workbook {
  zip: ZipFile;
  parts: ReadonlyMap<string, Entry>;
  refuse: Refuse;
}

/**
 * Streams the rows of the first sheet, a batch per chunk. Only the shared strings are held in memory.
 * @param options.computed whether the stored result of a formula is its value
 * @param options.onSheet receives the name of the sheet before its rows
 * @throws WorkbookLimit, or another error if the file is not a workbook, truncated or invalid
 */
export async function* xlsxRows(
  path: string,
  signal: AbortSignal,
  { computed = false, onSheet = () => {} }: { computed?: boolean; onSheet?: (name: string) => void } = {},
): AsyncGenerator<TableRow[]> {
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
    const book = { zip, parts, refuse };
    const { path: sheet, name } = await firstSheet(book);
    onSheet(name);
    if (!parts.has(sheet)) throw new Error('it has no sheet');
    let rows: TableRow[] = [];
    const handlers = sheetHandlers(await readTexts(book), { refuse, computed }, (row) => rows.push(row));
    for await (const _ of parsePart(book, sheet, MAX_SHEET_BYTES, handlers)) {
      signal.throwIfAborted();
      if (rows.length > 0) yield rows;
      rows = [];
    }
  } finally {
    zip.close();
  }
}

const count = (number: number): string => number.toLocaleString('en-US');

async function firstSheet(book: Workbook): Promise<{ path: string; name: string }> {
  const attributesOf = async (path: string, tag: string): Promise<Readonly<Record<string, string>>[]> => {
    const found: Readonly<Record<string, string>>[] = [];
    const open: Handlers['open'] = (name, attributes) => {
      if (name === tag) found.push(attributes);
    };
    for await (const _ of parsePart(book, path, MAX_LIST_BYTES, { open, place: () => path }));
    return found;
  };
  const { name = '', 'r:id': id } = (await attributesOf('xl/workbook.xml', 'sheet')).at(0) ?? {};
  const links = await attributesOf('xl/_rels/workbook.xml.rels', 'Relationship');
  const target = id && links.findLast(({ Id }) => Id === id)?.Target;
  if (!target) return { path: 'xl/worksheets/sheet1.xml', name };
  return { path: target.startsWith('/') ? target.slice(1) : `xl/${target}`, name };
}

interface Handlers {
  open?(tag: string, attributes: Readonly<Record<string, string>>): void;
  close?(tag: string): void;
  /** Receives the text of a cell or shared text at its end. */
  item?(text: string): void;
  place(): string;
}

/** Parses a part in bounded memory, if it exists. Yields after each chunk. */
async function* parsePart(
  { zip, parts, refuse }: Workbook,
  path: string,
  maxBytes: number,
  { open, close, item, place }: Handlers,
): AsyncGenerator<void> {
  const entry = parts.get(path);
  if (entry === undefined) return;
  // The archive reader rejects entries whose unpacked size differs from the stated size.
  if (entry.uncompressedSize > maxBytes) refuse(path, `${count(maxBytes)} bytes unpacked`);
  const parser = new SaxesParser();
  let pending = 0;
  let depth = 0;
  let text = '';
  let inText = false;
  /** Depth within phonetic readings. */
  let reading = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    pending = 0;
    depth += 1;
    if (depth > MAX_DEPTH) refuse(place(), `${MAX_DEPTH} elements within each other`);
    const tag = local(name);
    if (tag === 'c' || tag === 'si') text = '';
    else if (tag === 'rPh') reading++;
    else if (tag === 'v' || tag === 't') inText = reading === 0;
    open?.(tag, attributes as Record<string, string>);
  });
  parser.on('closetag', ({ name }) => {
    pending = 0;
    depth -= 1;
    const tag = local(name);
    if (tag === 'c' || tag === 'si') item?.(text);
    else if (tag === 'rPh') reading--;
    else if (tag === 'v' || tag === 't') inText = false;
    close?.(tag);
  });
  for (const event of ['text', 'cdata', 'comment'] as const)
    parser.on(event, (read) => {
      pending = 0;
      if (event === 'comment' || !inText) return;
      text += read;
      if (text.length > MAX_CELL_CHARACTERS) refuse(place(), `${count(MAX_CELL_CHARACTERS)} characters`);
    });
  const stream = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream.setEncoding('utf8')) {
    // An event in this chunk resets the counter, which may then be up to one chunk below the pending amount.
    pending += chunk.length;
    parser.write(chunk);
    if (pending > MAX_PENDING) refuse(place(), `${count(MAX_PENDING)} characters in one text or tag`);
    yield;
  }
  parser.close();
}

/** Removes the namespace prefix. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1);

async function readTexts(book: Workbook): Promise<string[]> {
  const path = 'xl/sharedStrings.xml';
  const texts: string[] = [];
  const handlers: Handlers = {
    place: () => `shared text ${texts.length + 1}`,
    item(text) {
      if (texts.length === MAX_TEXTS) book.refuse(path, `${count(MAX_TEXTS)} texts`);
      texts.push(text);
    },
  };
  for await (const _ of parsePart(book, path, MAX_TEXTS_BYTES, handlers));
  return texts;
}

function sheetHandlers(
  texts: readonly string[],
  { refuse, computed }: { refuse: Refuse; computed: boolean },
  onRow: (row: TableRow) => void,
): Handlers {
  let fields: Cell[] | null = null;
  let number = 0;
  /** Number of rows. Their stated numbers may repeat. */
  let started = 0;
  let column = 0;
  let type = 'n';
  let formula = false;
  const cellOf = (value: string): Cell => {
    if (formula && !(computed && value !== '' && type !== 'e')) return FORMULA;
    if (value === '' || type === 'e') return null;
    if (type === 's') return texts[Number(value)] ?? null;
    return type === 'n' && Number.isFinite(Number(value)) ? Number(value) : value;
  };
  return {
    place() {
      if (fields === null) return 'the sheet';
      return column < 0 ? `row ${number}` : `cell ${columnName(column)}${number}`;
    },
    open(tag, { r, t = 'n' }) {
      if (tag === 'c') {
        column = r === undefined ? column + 1 : columnOf(r);
        type = t;
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
    item(value) {
      if (fields === null || column < 0 || column >= MAX_COLUMNS) return;
      while (fields.length < column) fields.push(null);
      fields[column] = cellOf(value);
    },
    close(tag) {
      if (tag !== 'row' || fields === null) return;
      onRow({ line: number, fields });
      fields = null;
    },
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
