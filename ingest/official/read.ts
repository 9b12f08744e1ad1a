import { headerName } from '#domain/file-text.ts';
import type { CsvRecord } from '../sources/kinds/csv-records.ts';
import type { Cell, TableRow } from '../sources/kinds/xlsx-rows.ts';
import { Reject } from './cell-types.ts';
import type { AcceptedRow, OfficialKind, ReadOptions, Recognized, ReleaseFormat } from './official-file.ts';
import type { Statement } from './stated-quarters.ts';
import { priceIndex, registeredRents, salesIndicators } from './statistics.ts';
import { openTable, UnreadableFile } from './table.ts';
import { transactions } from './transactions.ts';

export const RELEASE_FORMATS: Readonly<Record<OfficialKind, ReleaseFormat>> = {
  transactions,
  registered_rents: registeredRents,
  sales_indicators: salesIndicators,
  price_index: priceIndex,
};

export type ReadRow = { line: number; taken: AcceptedRow } | { line: number; reason: string; detail: string };

export interface OfficialFile {
  format: ReleaseFormat;
  layout: string;
  /** The name of the sheet, and the rows above the header. */
  statements: readonly Statement[];
  /** Whether the last row is complete, once all have been read. */
  isClosed(): boolean;
  rows(options: Omit<ReadOptions, 'layout'>): AsyncGenerator<ReadRow>;
}

/** Maximum number of rows before the header. */
const TITLE_ROWS = 5;

/** Opens a file and detects its layout. @throws UnreadableFile */
export async function openOfficialFile(path: string, signal: AbortSignal): Promise<OfficialFile> {
  const table = await openTable(path, signal);
  const rows = table.rows();
  const inspected: (readonly Cell[])[] = [];
  while (inspected.length <= TITLE_ROWS) {
    const { value, done } = await rows.next();
    if (done) break;
    const fields = 'fault' in value ? [] : value.fields;
    inspected.push(fields);
    const found = recognize(fields.map((cell) => headerName(textOf(cell))));
    if (found === null) continue;
    table.setWidth(fields.length);
    const { format, layout } = found;
    const titles = inspected.slice(0, -1).map((cells) => ({ place: 'the title', text: cells.map(textOf).join(' ') }));
    const statements = [{ place: 'the sheet name', text: table.sheetName() }, ...titles];
    return {
      format,
      layout,
      statements,
      isClosed: table.isClosed,
      rows: (options) => readRows(rows, found, options),
    };
  }
  await rows.return(undefined);
  throw new UnreadableFile(`No supported layout has these columns: ${columnsOf(inspected)}.`);
}

/** Returns the format and layout of a header, in any order of columns; null if unknown. */
function recognize(header: readonly string[]): (Recognized & { format: ReleaseFormat }) | null {
  const found = Object.values(RELEASE_FORMATS).flatMap((format) => {
    const recognized = format.recognize(header);
    return recognized === null ? [] : [{ format, ...recognized }];
  });
  return found.sort((a, b) => b.required - a.required)[0] ?? null;
}

async function* readRows(
  rows: AsyncIterable<TableRow | CsvRecord>,
  { format, layout, positions }: NonNullable<ReturnType<typeof recognize>>,
  options: Omit<ReadOptions, 'layout'>,
): AsyncGenerator<ReadRow> {
  for await (const row of rows) {
    const { line } = row;
    if ('fault' in row) {
      yield { line, reason: row.fault, detail: row.detail };
      continue;
    }
    if (row.fields.every((cell) => cell === null || cell === '')) continue;
    try {
      yield { line, taken: format.read(row.fields, positions, { ...options, layout }) };
    } catch (error) {
      if (error instanceof Reject) yield { line, reason: error.reason, detail: error.message };
      else yield { line, reason: 'malformed_row', detail: 'the row cannot be processed' };
    }
  }
}

const textOf = (cell: Cell): string => (typeof cell === 'string' || typeof cell === 'number' ? String(cell) : '');

/** Returns the first non-empty row for an error, with digits masked: they may be of a deed. */
function columnsOf(rows: readonly (readonly Cell[])[]): string {
  const header = rows.find((cells) => cells.some((cell) => textOf(cell) !== '')) ?? [];
  const names = header.slice(0, 40).map((cell) =>
    textOf(cell)
      .trim()
      .slice(0, 60)
      .replace(/\p{N}+/gu, '#'),
  );
  return names.filter(Boolean).join(', ') || 'none';
}
