import type { RawListing } from '../../normalize/listing.ts';
import { CsvRecords } from './csv-records.ts';
import type { FeedEnd, FeedRow } from './feed-row.ts';
import { mappedRow, type RowMapper, rejectedRow } from './feed-row.ts';
import type { Encoding, FeedFile } from './lines.ts';

/** By header names. */
type CsvRow = Record<string, string>;

interface CsvOptions<Raw> {
  map: RowMapper<CsvRow, Raw>;
  delimiter?: string;
  /** Columns that `map` requires. A feed without them is refused. */
  required?: readonly string[];
  /** Defaults to UTF-8. */
  encoding?: Encoding;
}

/**
 * A malformed record is one rejected row.
 * @throws if the file cannot be read, or lacks a header or `required` columns
 */
export const csv = <Raw = RawListing>({ map, required = [], ...options }: CsvOptions<Raw>) =>
  async function* ({ path, signal }: FeedFile): AsyncGenerator<FeedRow<Raw>, FeedEnd> {
    const records = new CsvRecords({ ...options, path, signal });
    let header: string[] | null = null;
    for await (const batch of records.batches()) {
      for (const record of batch) {
        if ('fault' in record) yield rejectedRow(record.fault, record.detail, record.text);
        else if (header === null) {
          header = record.fields.map((name) => name.trim());
          const missing = required.filter((name) => !header?.includes(name));
          if (missing.length > 0) throw new Error(`${path} has no column ${missing.join(', ')}`);
          records.width = header.length;
        } else yield mappedRow(rowFrom(header, record.fields), map);
      }
    }
    if (header === null) throw new Error(`${path} has no header line`);
    return { cut: records.cut, lineBreak: records.lineBreak };
  };

const rowFrom = (header: readonly string[], fields: readonly string[]): CsvRow =>
  Object.fromEntries(header.map((name, index) => [name, fields[index] as string]));
