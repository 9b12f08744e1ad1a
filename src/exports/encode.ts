import { stringify } from 'csv-stringify/sync';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { RowBytes } from './dataset.ts';
import type { Format } from './files.ts';

/** Nested objects become several columns; a list becomes one. */
interface Column {
  /** Property names joined by dots, for example `price.yearly_sar`. */
  name: string;
  path: readonly string[];
  /** Includes `null` if the value can be missing. */
  types: readonly string[];
  format: 'date-time' | 'date' | null;
}

const FORMATS = ['date-time', 'date'] as const;

export function columnsOf(schema: JsonSchema, path: readonly string[] = [], nullable = false): Column[] {
  const types = [schema.type].flat() as string[];
  const mayBeNull = nullable || types.includes('null');
  const { properties } = schema;
  if (types.includes('object') && properties) {
    return Object.entries(properties as Readonly<Record<string, JsonSchema>>).flatMap(([name, inner]) =>
      columnsOf(inner, [...path, name], mayBeNull),
    );
  }
  const own = types.filter((type) => type !== 'null');
  const format = FORMATS.find((each) => each === schema.format) ?? null;
  return [{ name: path.join('.'), path, types: mayBeNull ? [...own, 'null'] : own, format }];
}

/** The dialect is described in the manifest, with instructions to restore escaped texts. */
export const CSV_DIALECT = {
  encoding: 'utf-8',
  byte_order_mark: false,
  delimiter: ',',
  quote: '"',
  escape: '""',
  record_end: '\\n',
  header: true,
  null: 'an empty cell without quotes',
  empty_text: 'an empty cell in quotes',
  arrays: 'JSON',
  formula_guard:
    "An apostrophe precedes every text that begins with = + - @, a tab, a carriage return, a line feed, the full-width form of one of those signs, or an apostrophe, so that no spreadsheet executes it. Remove the first apostrophe of a text that begins with one to restore the advertiser's text. Numbers, dates and arrays are never changed; NDJSON contains all values unchanged.",
} as const;

const CSV_OPTIONS = {
  record_delimiter: '\n',
  escape_formulas: true,
  cast: {
    string: (text: string) => {
      // The quotes distinguish an empty text from null.
      if (text === '') return { value: '', quoted_empty: true };
      return text[0] === '\n' || text[0] === "'" ? `'${text}` : text;
    },
    boolean: String,
    object: (value: object) => JSON.stringify(value),
  },
} as const;

export interface Encoder {
  /** Starts every file; empty for NDJSON. */
  head: string;
  encode(rows: readonly RowBytes[]): Buffer;
}

const NEWLINE = Buffer.from('\n');

/** JSON rows contain no unescaped line breaks. */
export const createEncoder = (format: Format, columns: readonly Column[]): Encoder =>
  format === 'ndjson'
    ? { head: '', encode: (rows) => Buffer.concat(rows.flatMap((row) => [...row, NEWLINE])) }
    : {
        head: stringify([columns.map(({ name }) => name)]),
        encode: (rows) => {
          const values = rows.map((row) => JSON.parse(Buffer.concat(row).toString('utf8')) as unknown);
          return Buffer.from(
            stringify(
              values.map((value) => columns.map(({ path }) => valueAt(value, path))),
              CSV_OPTIONS,
            ),
          );
        },
      };

/** Returns null if the value or a parent object is missing. */
function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value ?? null;
}
