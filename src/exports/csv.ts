import { stringify } from 'csv-stringify/sync';
import { type Column, valueAt } from './columns.ts';

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

export function csvRows(rows: readonly unknown[], columns: readonly Column[]): string {
  return stringify(
    rows.map((row) => columns.map(({ path }) => valueAt(row, path))),
    OPTIONS,
  );
}

export const csvHeader = (columns: readonly Column[]): string => stringify([columns.map(({ name }) => name)]);

const OPTIONS = {
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
