import { headerName } from '#domain/file-text.ts';
import { memoize } from '#domain/memoize.ts';
import { messageOf } from '#domain/message-of.ts';
import type { RawListing } from '../../normalize/listing.ts';
import { isStated } from '../../normalize/plain-values.ts';
import { INVALID_TEXT } from './csv-records.ts';
import type { FeedEnd, FeedReader, FeedRow } from './feed-row.ts';
import { mappedRows, type RowLayout, rejectedRow } from './feed-row.ts';
import { named } from './fields.ts';
import { type Encoding, type FeedFile, MAX_BYTES, readLines } from './lines.ts';

export type JsonRow = Record<string, unknown>;

const CUT_LINE = 'the feed ends in the middle of a line';

/** A malformed line is one rejected row. @throws if the file cannot be read, or is one JSON array */
export function ndjson<Raw = RawListing>({
  encoding,
  ...layout
}: RowLayout<JsonRow, Raw> & { encoding?: Encoding }): FeedReader<Raw> {
  const read = async function* ({ path, signal, isUnmapped }: FeedFile): AsyncGenerator<FeedRow<Raw>, FeedEnd> {
    const end: FeedEnd = { cut: null, lineBreak: true };
    let isFirst = true;
    /** The first row with its line, until a row has an id, which pages of ads lack. */
    let page: { text: string; row: JsonRow } | null | undefined;
    let records = 0;
    for await (const lines of readLines(path, { signal, encoding })) {
      for (const [at, { text, tooLarge, invalid, ended }] of lines.entries()) {
        end.lineBreak = ended;
        const [opened] = (isFirst && /^\s*(?:\[|\{\s*$)/.exec(text)) || [];
        if (opened !== undefined) {
          if (opened.includes('[')) throw refused(path, 'is one JSON array', '.[]');
          const start = lines
            .slice(at)
            .map((line) => line.text)
            .join('\n');
          throw SEVERAL_DOCUMENTS.test(start)
            ? refused(path, 'has JSON documents over several lines', '.')
            : refused(path, 'is one JSON document over several lines', `.${listIn(start) ?? ''}[]`);
        }
        isFirst &&= text.trim() === '';
        if (!tooLarge && !invalid && text.trim() === '') continue;
        records++;
        const rows = tooLarge
          ? [rejectedRow('too_large', `a line of more than ${MAX_BYTES} bytes`, text)]
          : invalid
            ? [rejectedRow('malformed_row', INVALID_TEXT, text)]
            : jsonRows(text, { ...layout, isUnmapped });
        for (const row of rows) {
          if (!ended && !row.ok) end.cut = CUT_LINE;
          if (row.ok && page !== null)
            page = hasId(row.row as JsonRow, layout) ? null : (page ?? { text, row: row.row as JsonRow });
          yield row;
        }
      }
    }
    const list = page ? listIn(page.text) : null;
    if (page && list !== null && (records === 1 || hasId(page.row, layout, MAX_PAGE_DEPTH)))
      throw refused(path, `is ${records === 1 ? 'one JSON document' : 'pages'} with the list ${list}`, `.${list}[]`);
    return end;
  };
  return Object.assign(read, { layout });
}

const SEVERAL_DOCUMENTS = /^\},?\s*\{/m;

const refused = (path: string, fault: string, filter: string): Error =>
  new Error(
    `${path} ${fault}, but one JSON object per line is expected. Convert it: jq -c '${filter}' ${path} > feed.ndjson`,
  );

const IDS = ['source_listing_id', 'source_project_id'];

/** `{data: {ads: {edges: [{node: {}}]}}}` of GraphQL is the deepest form in use. */
const MAX_PAGE_DEPTH = 6;

/** Also in the values of a row, to a depth. */
function hasId<Raw>(row: JsonRow, layout: RowLayout<JsonRow, Raw>, depth = 0): boolean {
  try {
    const ad = layout.map(row) as JsonRow;
    if (IDS.some((name) => isStated(ad[name]))) return true;
  } catch {
    return true;
  }
  const values = depth > 0 ? Object.values(row) : [];
  return values.some((each) => typeof each === 'object' && each !== null && hasId(each as JsonRow, layout, depth - 1));
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

/** As of elements in XML. */
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

/** A name of an object, or a text with what looks like one. */
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
