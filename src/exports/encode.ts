import { type BytePool, joinBytes } from '#search/byte-pool.ts';
import type { Column } from './columns.ts';
import { csvHeader, csvRows } from './csv.ts';
import type { RowBytes } from './dataset.ts';
import type { Format } from './files.ts';

/** Encodes rows as bytes of a file. */
export interface Encoder {
  /** First bytes of every file, so that each file can be read separately. */
  head: Buffer;
  /** Encodes rows in reused memory. The bytes are valid until `free` is called. */
  encode(rows: readonly RowBytes[]): { bytes: Uint8Array; free(): void };
}

export function createEncoder(format: Format, columns: readonly Column[], pool: BytePool): Encoder {
  return format === 'ndjson' ? ndjsonEncoder(pool) : csvEncoder(columns);
}

const NEWLINE = Buffer.from('\n');

/** Writes rows unchanged, one per line: the JSON of a row contains no unescaped line break. */
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
