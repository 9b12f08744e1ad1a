import { type BytePool, joinBytes } from '#search/byte-pool.ts';
import type { Column } from './columns.ts';
import { csvHeader, csvRows } from './csv.ts';
import type { RowBytes } from './dataset.ts';
import type { Format } from './files.ts';

export interface Encoder {
  /** Header of every file, so that each can be read separately; empty for NDJSON. */
  head: Buffer;
  /** Encodes rows. The bytes are valid until `free` is called. */
  encode(rows: readonly RowBytes[]): { bytes: Uint8Array; free(): void };
}

export function createEncoder(format: Format, columns: readonly Column[], pool: BytePool): Encoder {
  return format === 'ndjson' ? ndjsonEncoder(pool) : csvEncoder(columns);
}

const NEWLINE = Buffer.from('\n');

/** JSON rows contain no unescaped line breaks. */
function ndjsonEncoder(pool: BytePool): Encoder {
  return {
    head: Buffer.alloc(0),
    encode(rows) {
      const { bytes, free } = joinBytes(
        pool,
        rows.flatMap((row) => [...row, NEWLINE]),
      );
      return { bytes: bytes[0], free };
    },
  };
}

function csvEncoder(columns: readonly Column[]): Encoder {
  return {
    head: Buffer.from(csvHeader(columns)),
    encode: (rows) => ({
      bytes: Buffer.from(csvRows(rows.map(parse), columns)),
      free: () => {},
    }),
  };
}

const parse = (row: RowBytes): unknown => JSON.parse(Buffer.concat(row).toString('utf8'));
