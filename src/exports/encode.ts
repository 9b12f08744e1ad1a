import type { Column } from './columns.ts';
import { csvHeader, csvRows } from './csv.ts';
import type { RowBytes } from './dataset.ts';
import type { Format } from './files.ts';

interface Encoder {
  /** Header of every file, so that each can be read separately; empty for NDJSON. */
  head: Buffer;
  encode(rows: readonly RowBytes[]): Buffer;
}

const NEWLINE = Buffer.from('\n');

/** JSON rows contain no unescaped line breaks. */
export const createEncoder = (format: Format, columns: readonly Column[]): Encoder =>
  format === 'ndjson'
    ? { head: Buffer.alloc(0), encode: (rows) => Buffer.concat(rows.flatMap((row) => [...row, NEWLINE])) }
    : {
        head: Buffer.from(csvHeader(columns)),
        encode: (rows) => Buffer.from(csvRows(rows.map(parse), columns)),
      };

const parse = (row: RowBytes): unknown => JSON.parse(Buffer.concat(row).toString('utf8'));
