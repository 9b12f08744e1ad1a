import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { stringify } from 'csv-stringify/sync';
import { type Column, valueAt } from './columns.ts';
import type { RowBytes } from './dataset.ts';
import type { Format } from './files.ts';

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

export const csvLines = (rows: readonly (readonly unknown[])[]): string => stringify(rows as unknown[][], CSV_OPTIONS);

/** An encoder is used for one file after another. */
export interface Encoder {
  /** Starts every file. */
  head: string;
  encode(rows: readonly RowBytes[]): Promise<Buffer> | Buffer;
  /** Completes a file. */
  end(): Promise<Uint8Array> | Uint8Array;
  close(): void;
}

const NEWLINE = Buffer.from('\n');
const NOTHING = Buffer.alloc(0);

export function createEncoder(format: Format, columns: readonly Column[], signal?: AbortSignal): Encoder {
  if (format === 'parquet') return parquetEncoder(columns, signal);
  const lines = { end: () => NOTHING, close: () => {} };
  // JSON rows contain no unescaped line breaks.
  if (format === 'ndjson')
    return { ...lines, head: '', encode: (rows) => Buffer.concat(rows.flatMap((row) => [...row, NEWLINE])) };
  return {
    ...lines,
    head: stringify([columns.map(({ name }) => name)]),
    encode: (rows) => {
      const values = rows.map((row) => JSON.parse(Buffer.concat(row).toString('utf8')) as unknown);
      return Buffer.from(csvLines(values.map((value) => columns.map(({ path }) => valueAt(value, path)))));
    },
  };
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((sign) => Buffer.from(sign)) as [Buffer, Buffer, Buffer];

function startThread(columns: readonly Column[]): Worker {
  const thread = new Worker(new URL('./parquet-thread.ts', import.meta.url), {
    workerData: columns,
    // A larger one takes 200 MB more and no less time.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  // An error after an aborted wait must not end the process.
  return thread.on('error', () => {});
}

/** A part takes a second of processor time. */
const THREAD_LIMIT_MS = 120_000;

/** Encodes in a thread, which starts with the first rows. */
function parquetEncoder(columns: readonly Column[], signal?: AbortSignal): Encoder {
  let thread: Worker | undefined;
  const ask = async (rows: Uint8Array<ArrayBuffer> | null): Promise<Uint8Array> => {
    thread ??= startThread(columns);
    const limit = AbortSignal.timeout(THREAD_LIMIT_MS);
    const answer = once(thread, 'message', { signal: signal ? AbortSignal.any([signal, limit]) : limit });
    thread.postMessage(rows, rows ? [rows.buffer] : []);
    const [file] = await answer;
    return file ?? NOTHING;
  };
  return {
    head: '',
    encode: async (rows) => {
      const parts = rows.flatMap((row, at) => [at === 0 ? OPEN : COMMA, ...row]);
      // A copy, because small buffers share their memory.
      await ask(Uint8Array.from(Buffer.concat([...parts, CLOSE])));
      return NOTHING;
    },
    end: () => ask(null),
    close: () => void thread?.terminate(),
  };
}
