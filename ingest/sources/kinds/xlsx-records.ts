import { open } from 'node:fs/promises';
import { messageOf } from '#domain/message-of.ts';
import type { CsvRecord } from './csv-records.ts';
import { columnName, FORMULA, type TableRow, xlsxRows } from './xlsx-rows.ts';

/** As spreadsheets show a number: with 15 digits, of which calculations miss the next. */
const textOf = (cell: string | number): string =>
  String(typeof cell === 'number' ? Number(cell.toPrecision(15)) : cell);

const ZIP = 'PK\x03\x04';

/** @throws if the file cannot be read */
export async function isZip(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(ZIP.length), 0, ZIP.length, 0);
  return buffer.toString('latin1', 0, bytesRead) === ZIP;
}

/** The rows of the first sheet of a workbook, as records of a CSV file. Formulas have their stored results. */
export class XlsxRecords {
  /** Set once the header has been read. */
  width = 0;
  leastWidth = 0;
  /** A truncated workbook cannot be opened. */
  readonly cut = null;
  readonly lineBreak = null;
  readonly #path: string;
  readonly #signal: AbortSignal;

  constructor(path: string, signal: AbortSignal) {
    this.#path = path;
    this.#signal = signal;
  }

  /** @throws if the file is not a workbook */
  async *batches(): AsyncGenerator<Iterable<CsvRecord>> {
    try {
      for await (const rows of xlsxRows(this.#path, this.#signal, { computed: true })) yield this.#read(rows);
    } catch (error) {
      this.#signal.throwIfAborted();
      throw new Error(
        `${this.#path} is no workbook with rows: ${messageOf(error)}. Unpack it if it is another ZIP archive, or save it as CSV`,
      );
    }
  }

  /** The width of a header applies to the rows of its batch. */
  *#read(rows: readonly TableRow[]): Generator<CsvRecord> {
    for (const row of rows) if (row.fields.some((cell) => cell !== null && cell !== '')) yield this.#recordOf(row);
  }

  #recordOf({ line, fields }: TableRow): CsvRecord {
    const texts = fields.map((cell) => (cell === null || cell === FORMULA ? '' : textOf(cell)));
    const formula = fields.indexOf(FORMULA);
    const extra = this.width > 0 ? texts.findIndex((text, at) => at >= this.width && text !== '') : -1;
    if (formula === -1 && extra === -1) return { line, fields: texts };
    const detail =
      formula === -1
        ? `the cell ${columnName(extra)}${line} is in a column without a header`
        : `the cell ${columnName(formula)}${line} is a formula without a result. Open and save the file in a spreadsheet program`;
    return { line, fault: 'malformed_row', detail, text: texts.join(',') };
  }
}
