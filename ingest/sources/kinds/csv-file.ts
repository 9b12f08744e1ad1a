import { headerName } from '#domain/file-text.ts';
import type { RawListing } from '../../normalize/listing.ts';
import { CsvRecords, TEXT_FORMULA } from './csv-records.ts';
import {
  type FeedEnd,
  type FeedReader,
  type FeedRow,
  ID_FIELDS,
  mappedRows,
  RefusedFeed,
  type RowLayout,
  rejectedRow,
} from './feed-row.ts';
import type { Encoding, FeedFile } from './lines.ts';
import { isZip, XlsxRecords } from './xlsx-records.ts';

/** By header names. */
type CsvRow = Record<string, string>;

interface CsvOptions<Raw> extends RowLayout<CsvRow, Raw> {
  /** Defaults to the one in a line `sep=;`, else to the most frequent of `,`, `;`, tab and `|` in the header. */
  delimiter?: string;
  /** Columns that `map` requires, besides that of the id. A feed without them is refused. */
  required?: readonly string[];
  /** Defaults to UTF-8. */
  encoding?: Encoding;
}

/** Records before the header, such as a title. */
const MAX_TITLES = 10;

/**
 * Reads a CSV file or the first sheet of an XLSX file. The header is the first record with a column that `map` uses. A
 * malformed record is one rejected row.
 * @throws if the file cannot be read, lacks a header or `required` columns, or has a column of `map` twice
 */
export function csv<Raw = RawListing>({
  required = [],
  delimiter,
  encoding,
  ...layout
}: CsvOptions<Raw>): FeedReader<Raw> {
  const { columns = new Map<string, string>() } = layout.map;
  const ids = ID_FIELDS.flatMap((field) => columns.get(field) ?? []);
  const used = [...required, ...columns.values()];
  const read = async function* ({ path, signal, isUnmapped }: FeedFile): AsyncGenerator<FeedRow<Raw>, FeedEnd> {
    const titles: (readonly string[])[] = [];
    const records = (await isZip(path))
      ? new XlsxRecords(path, signal)
      : new CsvRecords({ delimiter, encoding, path, signal });
    let rowOf: ((fields: readonly string[]) => CsvRow) | null = null;
    let isRepeating = false;
    for await (const batch of records.batches()) {
      if (titles.length > MAX_TITLES) break;
      for (const record of batch) {
        if ('fault' in record) yield rejectedRow(record.fault, record.detail, record.text);
        else if (rowOf === null) {
          const names = record.fields.map(headerName);
          const isTitle = used.length > 0 && !used.some((name) => names.includes(name));
          if (isTitle) {
            titles.push(names);
            if (titles.length > MAX_TITLES) break;
            continue;
          }
          requireColumns(path, names, [...required, ...ids]);
          rowOf = rowReader(path, names, required);
          isRepeating = new Set(names).size < names.length;
          records.width = names.length;
          records.leastWidth = names.findLastIndex((name) => name !== '') + 1;
        } else {
          const row = rowOf(record.fields);
          // A copy of the row in another thread does not refuse its repeated columns.
          if (isUnmapped && isRepeating) layout.map(row);
          yield* mappedRows(row, { ...layout, isUnmapped });
        }
      }
    }
    if (rowOf === null) requireColumns(path, titles[0] ?? used, used);
    if (rowOf === null) throw new Error(`${path} has no header line`);
    return { cut: records.cut, lineBreak: records.lineBreak };
  };
  return Object.assign(read, { layout });
}

const textOfCell = (field: string): string => (field.startsWith('="') ? field.replace(TEXT_FORMULA, '$1') : field);

function requireColumns(path: string, names: readonly string[], required: readonly string[]): void {
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length === 0) return;
  const found =
    names.length === 1
      ? `Its only column is ${names[0]}. If that is several names, correct \`delimiter\` of the source`
      : `Its columns are ${names.join(', ')}`;
  throw new RefusedFeed(`${path} has no column ${missing.join(', ')}. ${found}`);
}

/** @returns a function that names the fields of a record. Of a repeated name, only the use is an error */
function rowReader(
  path: string,
  names: readonly string[],
  required: readonly string[],
): (fields: readonly string[]) => CsvRow {
  const refuse = (name: string): never => {
    const at = names.flatMap((each, index) => (each === name ? [index + 1] : []));
    throw new RefusedFeed(`${path} has the column ${name} at the positions ${at.join(' and ')}. Rename one of them`);
  };
  const repeated = [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
  for (const name of required) if (repeated.includes(name)) refuse(name);
  const guards = Object.fromEntries(repeated.map((name) => [name, { get: () => refuse(name), enumerable: false }]));
  const named = [...names.entries()].filter(([, name]) => !repeated.includes(name));
  return (fields) => {
    const row = Object.fromEntries(named.map(([at, name]) => [name, textOfCell(fields[at] ?? '')]));
    return repeated.length === 0 ? row : Object.defineProperties(row, guards);
  };
}
