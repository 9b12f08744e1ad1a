import { open } from 'node:fs/promises';
import { messageOf } from '#domain/message-of.ts';
import { type CsvRecord, CsvRecords } from '../sources/kinds/csv-records.ts';
import type { Encoding } from '../sources/kinds/lines.ts';
import { type TableRow, WorkbookLimit, xlsxRows } from '../sources/kinds/xlsx-rows.ts';

/** The message is intended for operators. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

const FILE_FAULTS = new Set(
  'ENOENT EACCES EPERM EIO EISDIR ENOTDIR ELOOP EBUSY ESTALE ENXIO ENODEV ENAMETOOLONG'.split(' '),
);

/** Returns the code of an error of reading a file; null for others. */
export function fileFault(error: unknown): string | null {
  const { code, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return code !== undefined && FILE_FAULTS.has(code) && syscall !== 'connect' ? code : null;
}

export interface TableFile {
  /** @throws UnreadableFile */
  rows(): AsyncGenerator<TableRow | CsvRecord>;
  /** Whether the last row is complete, once all have been read. */
  isClosed(): boolean;
  /** Name of the sheet, once a row has been read; empty for CSV. */
  sheetName(): string;
  /** Sets the number of columns, once the header is read. CSV rows of another width are then faults. */
  setWidth(width: number): void;
}

const SNIFFED = 256 * 1024;

/** Opens a CSV file or the first sheet of an XLSX file. The content determines the format. */
export async function openTable(path: string, signal: AbortSignal): Promise<TableFile> {
  const { start, end } = await readEnds(path);
  if (start.length === 0) throw new UnreadableFile('The file is empty.');
  if (start.subarray(0, 4).equals(ZIP)) return xlsxTable(path, signal);
  if (start.subarray(0, 8).equals(OLD_EXCEL)) throw new UnreadableFile('An old Excel file: save it as XLSX or CSV.');
  return csvTable(path, { encoding: encodingOf(start), signal }, end);
}

const ZIP = Buffer.from('PK\x03\x04', 'latin1');
const OLD_EXCEL = Buffer.from('d0cf11e0a1b11ae1', 'hex');

async function readEnds(path: string): Promise<{ start: Buffer; end: string }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED), 0, SNIFFED, 0);
    const last = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return { start: buffer.subarray(0, bytesRead), end: last.buffer.toString('latin1') };
  } finally {
    await file.close();
  }
}

/** Share of NUL bytes from which a file is not text. A row with a few of them is rejected, not its file. */
const BINARY_SHARE = 0.01;

function isBinary(start: Buffer): boolean {
  let count = 0;
  for (const byte of start) if (byte === 0) count += 1;
  return count > start.length * BINARY_SHARE;
}

/** Detects UTF-8; other text is read as Windows-1256 (Arabic). @throws UnreadableFile for UTF-16 and binary files */
function encodingOf(start: Buffer): Encoding {
  const [first, second] = start;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || isBinary(start))
    throw new UnreadableFile('The text is in UTF-16, or no text: save it as UTF-8.');
  try {
    // The sample may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1256';
  }
}

function csvTable(path: string, options: { encoding: Encoding; signal: AbortSignal }, end: string): TableFile {
  const records = new CsvRecords({ path, ...options });
  return {
    // Without a final line break, the last row is complete if its last cell ends with a quote.
    isClosed: () => records.cut === null && (records.lineBreak || end === '"'),
    sheetName: () => '',
    setWidth: (width) => {
      records.width = width;
    },
    async *rows() {
      for await (const batch of records.batches()) yield* batch;
    },
  };
}

function xlsxTable(path: string, signal: AbortSignal): TableFile {
  let sheetName = '';
  const onSheet = (name: string): void => {
    sheetName = name;
  };
  return {
    // A truncated workbook cannot be opened.
    isClosed: () => true,
    sheetName: () => sheetName,
    setWidth: () => {},
    async *rows() {
      try {
        for await (const rows of xlsxRows(path, signal, { onSheet })) yield* rows;
      } catch (error) {
        signal.throwIfAborted();
        if (fileFault(error) !== null) throw error;
        if (error instanceof WorkbookLimit) throw new UnreadableFile(`The XLSX file is too large: ${error.message}.`);
        throw new UnreadableFile(`The XLSX file is cut or broken: ${messageOf(error)}`);
      }
    },
  };
}
