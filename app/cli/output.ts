import Table from 'cli-table3';

export interface OutputOptions {
  json?: boolean | undefined;
}

// Also text direction overrides; names from customers and feeds may contain both.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are matched
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes control characters in JSON notation, except line feeds. */
export function printable(text: string): string {
  return text.replace(CONTROLS, (character) => (character === '\n' ? character : escaped(character)));
}

/** Escapes do not change the parsed value. */
export function printJson(value: unknown, indent?: number): void {
  process.stdout.write(`${printable(JSON.stringify(value, null, indent))}\n`);
}

/** Rows, one row, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: commands that print by themselves return nothing
export type Result = object | void;

export function printResult(result: Result, options: OutputOptions): void {
  if (Array.isArray(result)) printRows(result, options);
  else if (result) printOne(result, options);
}

export function printRows(rows: readonly object[], options: OutputOptions): void {
  if (options.json) {
    printJson(rows, 2);
    return;
  }
  const [first] = rows;
  if (!first) {
    process.stdout.write('Nothing there.\n');
    return;
  }
  const columns = Object.keys(first);
  const table = new Table({ head: columns.map((name) => name.replaceAll('_', ' ')), style: { head: [], border: [] } });
  for (const row of rows) table.push(columns.map((name) => cell((row as Record<string, unknown>)[name])));
  process.stdout.write(`${table.toString()}\n`);
}

export function printOne(row: object, options: OutputOptions): void {
  if (options.json) {
    printJson(row, 2);
    return;
  }
  const table = new Table({ style: { head: [], border: [] } });
  for (const [name, value] of Object.entries(flatten(row))) table.push([name.replaceAll('_', ' '), cell(value)]);
  process.stdout.write(`${table.toString()}\n`);
}

function flatten(row: object, prefix = ''): Record<string, unknown> {
  return Object.assign(
    {},
    ...Object.entries(row).map(([name, value]) => {
      const nested = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
      return nested ? flatten(value, `${prefix}${name}.`) : { [prefix + name]: value };
    }),
  );
}

const cell = (value: unknown): string => plain(value).replace(CONTROLS, escaped);

function plain(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return `${value.toISOString().slice(0, 19)}Z`;
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
