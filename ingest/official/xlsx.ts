import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type Cell, FORMULA } from './cell.ts';

/** A row of a sheet. Cells that are not there are null. */
export interface SheetRow {
  number: number;
  cells: Cell[];
}

/** Bytes of a part that the rest depends on and that is held in memory: texts, the list of sheets. */
const LARGEST_HELD = 256 * 1024 * 1024;
/** Columns that a sheet may have. */
const MAX_COLUMNS = 1_000;

/**
 * Streams the rows of the first sheet of a workbook, a batch for each chunk of it. In memory are only its texts, which
 * a workbook keeps in a part of their own.
 * @throws when it is no workbook, or cut, or broken
 */
export async function* xlsxRows(path: string, signal: AbortSignal): AsyncGenerator<SheetRow[]> {
  const zip = await openPromise(path, { autoClose: false });
  try {
    const parts = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) parts.set(entry.fileName, entry);
    const sheet = parts.get(await firstSheet(zip, parts));
    if (sheet === undefined) throw new Error('it has no sheet');
    const texts = await readTexts(zip, parts.get('xl/sharedStrings.xml'));
    const reader = new SheetReader(texts);
    for await (const chunk of await openPart(zip, sheet)) {
      signal.throwIfAborted();
      const rows = reader.read(chunk);
      if (rows.length > 0) yield rows;
    }
    reader.close();
  } finally {
    zip.close();
  }
}

async function openPart(zip: ZipFile, entry: Entry): Promise<Readable> {
  const stream = await zip.openReadStreamPromise(entry);
  stream.setEncoding('utf8');
  return stream;
}

/** The name of the part that the first sheet is in. */
async function firstSheet(zip: ZipFile, parts: ReadonlyMap<string, Entry>): Promise<string> {
  const book = parts.get('xl/workbook.xml');
  const links = parts.get('xl/_rels/workbook.xml.rels');
  let id: string | undefined;
  if (book)
    await parsePart(zip, book, ({ name, attributes }) => {
      if (name === 'sheet') id ??= attributes['r:id'];
    });
  let target: string | undefined;
  if (links && id !== undefined)
    await parsePart(zip, links, ({ name, attributes }) => {
      if (name === 'Relationship' && attributes.Id === id) target = attributes.Target;
    });
  if (target === undefined) return 'xl/worksheets/sheet1.xml';
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

interface Tag {
  name: string;
  attributes: Readonly<Record<string, string>>;
}

async function parsePart(zip: ZipFile, entry: Entry, open: (tag: Tag) => void): Promise<void> {
  if (entry.uncompressedSize > LARGEST_HELD) throw new Error(`${entry.fileName} is too large`);
  const parser = createParser();
  parser.on('opentag', (tag) => open({ name: local(tag.name), attributes: tag.attributes as Record<string, string> }));
  for await (const chunk of await openPart(zip, entry)) parser.write(chunk);
  parser.close();
}

function createParser(): SaxesParser {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  return parser;
}

/** Without the prefix of its namespace. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1);

async function readTexts(zip: ZipFile, entry: Entry | undefined): Promise<string[]> {
  const texts: string[] = [];
  if (entry === undefined) return texts;
  if (entry.uncompressedSize > LARGEST_HELD) throw new Error('its texts are too large');
  const parser = createParser();
  let text = '';
  let inText = false;
  let reading = 0;
  parser.on('opentag', ({ name }) => {
    const tag = local(name);
    if (tag === 'si') text = '';
    else if (tag === 'rPh') reading++;
    else if (tag === 't') inText = reading === 0;
  });
  parser.on('text', (part) => {
    if (inText) text += part;
  });
  parser.on('closetag', ({ name }) => {
    const tag = local(name);
    if (tag === 't') inText = false;
    else if (tag === 'rPh') reading--;
    else if (tag === 'si') texts.push(text);
  });
  for await (const chunk of await openPart(zip, entry)) parser.write(chunk);
  parser.close();
  return texts;
}

class SheetReader {
  readonly #parser = createParser();
  readonly #texts: readonly string[];
  #rows: SheetRow[] = [];
  #row: SheetRow | null = null;
  #number = 0;
  #column = 0;
  #type = 'n';
  #value = '';
  #formula = false;
  #inValue = false;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#parser.on('opentag', ({ name, attributes }) => this.#open(local(name), attributes as Record<string, string>));
    this.#parser.on('closetag', ({ name }) => this.#close(local(name)));
    this.#parser.on('text', (text) => {
      if (this.#inValue) this.#value += text;
    });
  }

  /** The rows that have ended. */
  read(chunk: string): SheetRow[] {
    this.#rows = [];
    this.#parser.write(chunk);
    return this.#rows;
  }

  /** @throws when the sheet has not ended */
  close(): void {
    this.#parser.close();
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
    if (cells === undefined || this.#column >= MAX_COLUMNS) return;
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

/** `BC7` is column 54, counted from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}
