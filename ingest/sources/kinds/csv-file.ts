import type { RawListing } from '../../normalize/listing.ts';
import { CsvRecords } from './csv-records.ts';
import type { FeedEnd, FeedRow } from './feed-row.ts';
import { mappedRow, type RowMapper, rejectedRow } from './feed-row.ts';
import type { Encoding } from './lines.ts';

/** A CSV row, keyed by header names. */
type CsvRow = Record<string, string>;

export interface CsvFile<Raw = RawListing> {
  path: string;
  map: RowMapper<CsvRow, Raw>;
  signal: AbortSignal;
  delimiter?: string;
  /** Columns that `map` requires. A feed without them is refused. */
  required?: readonly string[];
  /** Defaults to UTF-8. */
  encoding?: Encoding;
}

export const csv =
  <Raw = RawListing>(options: Omit<CsvFile<Raw>, 'path' | 'signal'>) =>
  (file: Pick<CsvFile, 'path' | 'signal'>): AsyncGenerator<FeedRow<Raw>, FeedEnd> =>
    csvFile({ ...options, ...file });

/**
 * Streams a CSV file with a header line. A malformed record is one rejected row and does not affect its neighbors.
 * @throws if the file cannot be read, or lacks a header or `required` columns
 */
export async function* csvFile<Raw = RawListing>(file: CsvFile<Raw>): AsyncGenerator<FeedRow<Raw>, FeedEnd> {
  const records = new CsvRecords(file);
  let header: string[] | null = null;
  for await (const batch of records.batches()) {
    for (const record of batch) {
      if ('fault' in record) yield rejectedRow(record.fault, record.detail, record.text);
      else if (header === null) {
        header = readHeader(file, record.fields);
        records.width = header.length;
      } else yield mappedRow(rowFrom(header, record.fields), file.map);
    }
  }
  if (header === null) throw new Error(`${file.path} has no header line`);
  return { cut: records.cut, lineBreak: records.lineBreak };
}

function readHeader({ path, required = [] }: Pick<CsvFile, 'path' | 'required'>, fields: string[]): string[] {
  const header = fields.map((name) => name.trim());
  const missing = required.filter((name) => !header.includes(name));
  if (missing.length > 0) throw new Error(`${path} has no column ${missing.join(', ')}`);
  return header;
}

function rowFrom(header: string[], fields: string[]): CsvRow {
  const row: CsvRow = {};
  for (let index = 0; index < header.length; index++) row[header[index] as string] = fields[index] as string;
  return row;
}
