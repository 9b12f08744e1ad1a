import { headerName } from '#domain/file-text.ts';
import { memoize } from '#domain/memoize.ts';
import { messageOf } from '#domain/message-of.ts';
import type { RawListing } from '../../normalize/listing.ts';
import { isStated } from '../../normalize/plain-values.ts';
import { INVALID_TEXT } from './csv-records.ts';
import type { FeedEnd, FeedReader, FeedRow } from './feed-row.ts';
import { ID_FIELDS, mappedRows, RefusedFeed, type RowLayout, rejectedRow } from './feed-row.ts';
import { named } from './fields.ts';
import { type Encoding, type FeedFile, type Line, MAX_BYTES, readLines } from './lines.ts';
import { columnValue } from './renamed.ts';

export type JsonRow = Record<string, unknown>;

const CUT_LINE = 'the feed ends in the middle of a line';

/**
 * A malformed line is one rejected row. An object may have several lines, as programs print it.
 * @throws if the file cannot be read, is one JSON array, or has lists of ads in place of ads
 */
export function ndjson<Raw = RawListing>({
  encoding,
  ...layout
}: RowLayout<JsonRow, Raw> & { encoding?: Encoding }): FeedReader<Raw> {
  const read = async function* ({ path, signal, isUnmapped }: FeedFile): AsyncGenerator<FeedRow<Raw>, FeedEnd> {
    const end: FeedEnd = { cut: null, lineBreak: true };
    const idColumn = ID_FIELDS.map((field) => layout.map.columns?.get(field)).find((column) => column !== undefined);
    let records = 0;
    let first: JsonRow | null = null;
    /** The list in the first row, while no row has a value in the column of the id. */
    let list: string | null = null;
    for await (const lines of objectLines(path, { signal, encoding })) {
      for (const { text, tooLarge, invalid, ended } of lines) {
        end.lineBreak = ended;
        if (!tooLarge && !invalid && text.trim() === '') continue;
        if (records === 0 && /^\s*\[/.test(text)) throw refused(path, 'is one JSON array', '');
        if (records === 0 && text.includes('\n') && (tooLarge || !ended))
          throw refused(path, 'is one JSON document over several lines', listIn(text) ?? '');
        records++;
        const rows = tooLarge
          ? [rejectedRow('too_large', `a line of more than ${MAX_BYTES} bytes`, text)]
          : invalid
            ? [rejectedRow('malformed_row', INVALID_TEXT, text)]
            : jsonRows(text, { ...layout, isUnmapped });
        for (const row of rows) {
          if (!ended && !row.ok) end.cut = CUT_LINE;
          if (row.ok && first === null) list = listIn(text);
          if (row.ok) first ??= row.row as JsonRow;
          if (row.ok && list !== null && idColumn !== undefined && isStated(columnValue(row.row as JsonRow, idColumn)))
            list = null;
          yield row;
        }
      }
    }
    const documents = records === 1 ? 'one JSON document' : 'JSON documents';
    // A mapping may not end, so that only another thread applies it to the rows of a feed.
    const isKnown = idColumn !== undefined || (records === 1 && first !== null && !hasId(first, layout));
    if (list !== null && isKnown) throw refused(path, `is ${documents} with the list ${list}`, list);
    return end;
  };
  return Object.assign(read, { layout });
}

/** Lines of a file; if its first object has several lines, the texts of its objects. */
async function* objectLines(path: string, options: Parameters<typeof readLines>[1]): AsyncGenerator<Line[]> {
  let open: Line[] = [];
  let bytes = 0;
  /** How lines begin that end an object; null if each line is a record. */
  let closing: string | null | undefined;
  for await (const lines of readLines(path, options)) {
    const first = closing === undefined ? lines.find(({ text }) => text.trim() !== '') : undefined;
    if (first !== undefined) closing = /^\s*\{\s*$/.test(first.text) ? first.text.trimEnd().replace('{', '}') : null;
    if (typeof closing !== 'string') {
      yield lines;
      continue;
    }
    const objects: Line[] = [];
    for (const line of lines) {
      open.push(line);
      bytes += line.text.length;
      if (!isClosing(line, closing) && bytes <= MAX_BYTES) continue;
      objects.push(joined(open, true));
      open = [];
      bytes = 0;
    }
    yield objects;
  }
  if (open.length > 0) yield [joined(open, false)];
}

const isClosing = ({ text }: Line, closing: string): boolean =>
  text.startsWith(closing) && text.trimEnd().length <= closing.length + 1;

function joined(lines: readonly Line[], ended: boolean): Line {
  const text = lines.map((line) => line.text).join('\n');
  const [tooLarge, invalid] = [text.length > MAX_BYTES, lines.some((line) => line.invalid)];
  return { text, tooLarge: tooLarge || lines.some((line) => line.tooLarge), invalid, ended };
}

const refused = (path: string, fault: string, list: string): Error =>
  new RefusedFeed(
    `${path} ${fault}, but one JSON object per line is expected. Convert it: jq -c '.${list}[]' ${path} > feed.ndjson`,
  );

function hasId<Raw>(row: JsonRow, { map }: RowLayout<JsonRow, Raw>): boolean {
  try {
    return ID_FIELDS.some((name) => isStated((map(row) as JsonRow)[name]));
  } catch {
    return true;
  }
}

/** A text with a colon if it is a name, the start of an object, its end, or the start of a list of objects. */
const PART = /"((?:[^"\\]|\\(?:.|$))*)(?:"(\s*:)?|$)|[{}]|\[(?=\s*\{)/gs;

/** The path of the first list of objects in a document, which may be that of the ads; null if there is none. */
function listIn(text: string): string | null {
  const open: string[] = [];
  for (const [token, name = '', colon] of text.matchAll(PART)) {
    if (token === '[') return open.map((each) => (/^[a-z_]\w*$/i.test(each) ? each : `"${each}"`)).join('.');
    if (token === '{') open.push('');
    else if (token === '}') open.pop();
    else if (colon !== undefined) open.splice(-1, 1, name);
  }
  return null;
}

/** A text, or what Python writes for a missing number. */
const NOT_JSON = /"(?:[^"\\]|\\(?:.|$))*(?:"|$)|NaN|-?Infinity/gs;

/** Commas and separators of records beside an object. */
const AROUND_JSON = /^[\s,\p{Cc}]+|(?<![\s,])[\s,]+$/gu;
const BETWEEN_OBJECTS = /(?<=\})[\s,]*(?=\{)/;

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

function* jsonRows<Raw>(text: string, layout: RowLayout<JsonRow, Raw>): Generator<FeedRow<Raw>> {
  let row: unknown;
  try {
    row = parseJson(text);
  } catch (error) {
    const json = text.replace(NOT_JSON, (token) => (token.startsWith('"') ? token : 'null')).replace(AROUND_JSON, '');
    const objects = json.split(BETWEEN_OBJECTS);
    if (json !== text) yield* jsonRows(json, layout);
    else if (objects.length > 1 && objects.every(isJson)) for (const each of objects) yield* jsonRows(each, layout);
    else yield rejectedRow('malformed_row', messageOf(error), text);
    return;
  }
  yield* offersIn(row, layout);
}

/** The same limit as for elements in XML. */
const MAX_DEPTH = 32;

const isDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === MAX_DEPTH || Object.values(value).some((each) => isDeep(each, depth + 1)));

/** @param row any JSON value */
export function* offersIn<Raw>(row: unknown, layout: RowLayout<JsonRow, Raw>): Generator<FeedRow<Raw>> {
  if (isDeep(row))
    yield rejectedRow(
      'malformed_row',
      `more than ${MAX_DEPTH} values within each other`,
      Object.keys(row as object).join(),
    );
  else if (isJsonRow(row)) yield* mappedRows(namedRow(row), layout);
  else yield rejectedRow('malformed_row', 'the row is not a JSON object', row);
}

const nameOf = memoize(headerName);

/** Names retain the marks of their header. */
function namedRow(row: JsonRow): JsonRow {
  const names = Object.keys(row);
  return names.every((name) => nameOf(name) === name) ? row : named(names.map((name) => [nameOf(name), row[name]]));
}

/** A name of an object, or a text with a part in the form of one. */
const NAME = /"\s*:/g;
const TOKEN = /"((?:[^"\\]|\\(?:.|$))*)(?:"(\s*:)?|$)|[{}]/gs;
/** Marks the names that repeat an earlier one of their object. */
const REPEATED = '\u0000';

/** Number of names in the objects of a value. */
const namesIn = (value: unknown, depth = 0): number => {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return 0;
  const values = Object.values(value);
  return values.reduce<number>(
    (names, each) => names + namesIn(each, depth + 1),
    Array.isArray(value) ? 0 : values.length,
  );
};

/** Makes the names of each object distinct, because a parser keeps only the last value of a repeated name. */
function withDistinctNames(text: string): string {
  const open: Map<string, number>[] = [];
  return text.replace(TOKEN, (token, name: string, colon?: string) => {
    if (token === '{') open.push(new Map());
    else if (token === '}') open.pop();
    const names = open.at(-1);
    if (colon === undefined || names === undefined) return token;
    const known = JSON.parse(`"${name}"`) as string;
    const times = names.get(known) ?? 0;
    names.set(known, times + 1);
    return times === 0 ? token : `"${name}${'\\u0000'.repeat(times)}"${colon}`;
  });
}

/** The values of a repeated name as a list, as of repeated elements in XML. */
const withLists = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((each) => withLists(each, depth + 1));
  return named(
    Object.entries(value).map(([name, each]) => [name.replaceAll(REPEATED, ''), withLists(each, depth + 1)]),
  );
};

/** Integers above 2^53 have at least 16 digits. */
const MAYBE_LARGE_INTEGER = /\d{16}/;

/**
 * Parses JSON. Of a name that an object repeats, the values become a list. An integer that a number cannot represent
 * becomes a text with its digits as written, so that the ids of two ads stay distinct.
 */
export function parseJson(text: string): unknown {
  const value = parsedJson(text);
  const isDistinct = namesIn(value) >= (text.match(NAME)?.length ?? 0);
  return isDistinct ? value : withLists(parsedJson(withDistinctNames(text)));
}

function parsedJson(text: string): unknown {
  if (!MAYBE_LARGE_INTEGER.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?[\d.]+$/.test(source ?? '')
      ? source
      : value,
  );
}

export function isJsonRow(value: unknown): value is JsonRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
