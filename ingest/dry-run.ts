import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { withoutMark } from '#domain/file-text.ts';
import { NO_BOUNDARIES } from '#domain/geography/boundaries.ts';
import { NEIGHBORHOODS_BY_ID } from '#domain/geography/gazetteer.ts';
import { FetchCounts, repeats } from './fetch/ad-counts.ts';
import type { AdResult } from './fetch/ad-reader.ts';
import { listingIn } from './fetch/ad-row.ts';
import { batchesOf } from './fetch/batches.ts';
import { excerptOf } from './fetch/excerpt.ts';
import { mapTwice, readAds } from './fetch/read-ads.ts';
import type { Reject } from './fetch/reject-log.ts';
import { definitions } from './load-sources.ts';
import { type NormalizedListing, type RawListing, REPORTED_AS, type UnreadValue } from './normalize/listing.ts';
import { feedId } from './normalize/plain-values.ts';
import { bayutFeed } from './sources/kinds/bayut-xml.ts';
import { csv } from './sources/kinds/csv-file.ts';
import type { FeedEnd, FeedRow } from './sources/kinds/feed-row.ts';
import { CHUNK_BYTES, textChunks } from './sources/kinds/lines.ts';
import { ndjson } from './sources/kinds/ndjson-file.ts';
import { propertyFinderFeed } from './sources/kinds/property-finder-xml.ts';
import { isZip } from './sources/kinds/xlsx-records.ts';
import type { FeedRows, SourceDefinition } from './sources/source.ts';

type MappedRow = Extract<FeedRow, { ok: true }>;
type ReadRow = { row: MappedRow; result: AdResult } | { row: Exclude<FeedRow, MappedRow>; result: null };

interface ColumnReport {
  /** Name, or path of the field or element. */
  column: string;
  example: string;
  /** Fields of `RawListing`; empty if the source does not use the column. */
  fields: string[];
  /** Values of the example, by field; null if it could not be read. */
  became: Record<string, unknown>;
  rows: number;
  /** Accepted rows whose value could not be read, by field. */
  unread: Record<string, number>;
}

export interface DryRun {
  file: string;
  source: string;
  /** Why the feed is incomplete; null if it is complete. */
  cut: string | null;
  rows: number;
  accepted: number;
  rejected: Record<string, number>;
  columns: ColumnReport[];
  /** Distinct. */
  rejects: Reject[];
}

export interface DryRunOptions {
  path: string;
  /** Defaults to the source that accepts the most of the first rows. */
  source?: string | undefined;
  /** In addition to those of `ingest/sources`. */
  sources?: readonly SourceDefinition[];
  at: Date;
  signal: AbortSignal;
}

const TRIAL_ROWS = 100;
const TRACED_ROWS = 50;
const MAX_COLUMNS = 300;
const ROW_CHARACTERS = 300;
const EXAMPLE_CHARACTERS = 80;
const MAX_DEPTH = 16;

/** For files without a source. */
const LAYOUTS = [
  bayutFeed({ name: 'bayut-xml', file: '' }),
  propertyFinderFeed({ name: 'property-finder-xml', file: '' }),
];

/** As an ingest run does, without datastores. @throws if the file cannot be read, no source reads it, or it has no rows */
export async function dryRun(options: DryRunOptions): Promise<DryRun> {
  const found = await stat(options.path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`There is no file ${options.path}.`) : error;
  });
  if (found.isDirectory()) throw new Error(`${options.path} is a folder. Name one of its files.`);
  const sources = [...(options.sources ?? []), ...(await definitions()), ...LAYOUTS].filter(
    (source) => source.readFile !== undefined,
  );
  const source = options.source === undefined ? await choose(sources, options) : named(sources, options.source);
  const columns = new Map<string, Column>();
  const counts = new FetchCounts();
  const seen = new Set<string>();
  let accepted = 0;
  const read = readResults(source, options);
  let next = await read.next();
  for (; !next.done; next = await read.next()) {
    const { row, result } = next.value;
    counts.rows++;
    if (result === null) {
      counts.reject(row.reason, row.detail, row.row);
      continue;
    }
    const id = feedId(row.raw.source_listing_id);
    const isRepeated = result.ok && seen.has(id);
    const unread = result.ok && !isRepeated ? result.unread : [];
    const fields = unreadFields(row.raw, unread);
    describeColumns(columns, row, result.ok ? listingIn(result.row) : null, fields, counts.rows <= TRACED_ROWS);
    if (!result.ok) counts.reject(result.reason, result.detail, row.row);
    else if (isRepeated) counts.reject('duplicate_id', repeats(id), row.row);
    else {
      seen.add(id);
      accepted++;
      for (const value of unread) counts.addUnread(value);
    }
  }
  const cut = next.value?.cut ?? counts.failed;
  if (counts.rows === 0)
    throw new Error(
      `${options.path}, read as ${source.name}, has no rows${cut === null ? '' : `: ${cut}`}. If it lists ads, correct \`record\` and \`isListed\` of the source.\n${await columnNames(options)}`.trimEnd(),
    );
  return {
    file: options.path,
    source: source.name,
    cut,
    rows: counts.rows,
    accepted,
    rejected: counts.dropped,
    columns: reportsOf(columns),
    rejects: counts.rejects.list.map((each) => ({ ...each, row: each.row.slice(0, ROW_CHARACTERS) })),
  };
}

function rowsOf({ readFile, module, layout }: SourceDefinition, { path, signal }: DryRunOptions): FeedRows {
  return (readFile as NonNullable<typeof readFile>)({ path, signal, isUnmapped: (module && layout) !== undefined });
}

/** Rows with the results of those that could be mapped. Returns how the feed ended. */
async function* readResults(
  source: SourceDefinition,
  { at, signal, ...options }: DryRunOptions,
  size?: number,
): AsyncGenerator<ReadRow, FeedEnd | undefined> {
  const batches = batchesOf(rowsOf(source, { at, signal, ...options }), size);
  try {
    let next = await batches.next();
    for (; !next.done; next = await batches.next()) {
      const rows = await mapTwice(source, next.value, signal);
      const results = await readAds(
        rows.filter((row) => row.ok),
        { source, at, assumePhotos: false, boundaries: NO_BOUNDARIES, signal },
      );
      for (const row of rows) yield row.ok ? { row, result: results.get(row) as AdResult } : { row, result: null };
    }
    return next.value || undefined;
  } finally {
    await batches.return(undefined);
  }
}

function named(sources: readonly SourceDefinition[], name: string): SourceDefinition {
  const source = sources.find((each) => each.name === name);
  if (source === undefined)
    throw new Error(`--source: no source "${name}" reads files. Accepted: ${namesOf(sources)}.`);
  return source;
}

const namesOf = (sources: readonly SourceDefinition[]): string => sources.map(({ name }) => name).join(', ');

/** @throws if no source accepts any of the first rows */
async function choose(sources: readonly SourceDefinition[], options: DryRunOptions): Promise<SourceDefinition> {
  let best: SourceDefinition | null = null;
  let most = 0;
  for (const source of sources) {
    let accepted = 0;
    let rows = 0;
    try {
      for await (const { result } of readResults(source, options, TRIAL_ROWS)) {
        if (result?.ok) accepted++;
        if (++rows === TRIAL_ROWS) break;
      }
    } catch {
      // Other readers may accept the file.
      options.signal.throwIfAborted();
    }
    if (accepted > most) {
      best = source;
      most = accepted;
    }
  }
  if (best !== null) return best;
  const found = await columnNames(options);
  throw new Error(
    `No source accepts a row of ${options.path}. If its layout is new, define a source: docs/how-to/source.md. To see why one rejects it, name it with --source: ${namesOf(sources)}.\n${found}`,
  );
}

const XML_BYTES = 64 * 1024;

/** At the start of the file; empty if there is none. @throws if it cannot be read */
async function columnNames({ path, signal }: DryRunOptions): Promise<string> {
  const bytes: Buffer[] = [];
  if (!(await isZip(path)))
    for await (const chunk of textChunks(path, createReadStream(path, { end: XML_BYTES, signal }))) {
      bytes.push(chunk);
      if (bytes.length * CHUNK_BYTES > XML_BYTES) break;
    }
  const start = withoutMark(Buffer.concat(bytes).toString()).trimStart();
  if (start.startsWith('<')) {
    const elements = new Set([...start.matchAll(/<([\p{L}_][\p{L}\p{N}:._-]*)/gu)].map(([, name]) => name));
    return `Elements: ${[...elements].slice(0, MAX_COLUMNS).join(', ')}.`;
  }
  const map = (row: Row) => row as never;
  const names = new Set<string>();
  let rows = 0;
  for await (const { row } of (/^[[{]/.test(start) ? ndjson({ map }) : csv({ map }))({ path, signal })) {
    for (const [name] of isObject(row) ? leaves(row) : []) names.add(name);
    if (++rows === TRIAL_ROWS) break;
  }
  return names.size === 0 ? '' : `Columns: ${[...names].slice(0, MAX_COLUMNS).join(', ')}.`;
}

type Row = Readonly<Record<string, unknown>>;

interface Column {
  rows: number;
  fields: Set<string>;
  /** Number of accepted rows whose value could not be read, by field. */
  unread: Record<string, number>;
  example: string;
  became: Record<string, unknown>;
  /** Whether the example became something in every field. */
  isRead: boolean;
}

/** The mapping of the first rows runs again with another value in the column: the fields that differ are its fields. */
function describeColumns(
  columns: Map<string, Column>,
  { row, raw, map }: Extract<FeedRow, { ok: true }>,
  listing: NormalizedListing | null,
  unread: readonly string[],
  isTraced: boolean,
): void {
  for (const [name, path, value] of leaves(row)) {
    let column = columns.get(name);
    if (column === undefined) {
      if (columns.size === MAX_COLUMNS) continue;
      column = { rows: 0, fields: new Set(), unread: {}, example: '', became: {}, isRead: false };
      columns.set(name, column);
    }
    column.rows++;
    if (isTraced && map)
      for (const field of fieldsOf(row, path, value, raw, map as (row: Row) => RawListing)) column.fields.add(field);
    for (const field of unread) if (column.fields.has(field)) column.unread[field] = (column.unread[field] ?? 0) + 1;
    // The example is the first value that became something in every field.
    if (column.isRead || (column.example !== '' && listing === null)) continue;
    column.example = shown(value);
    column.became = Object.fromEntries([...column.fields].map((field) => [field, listing && became(field, listing)]));
    column.isRead = listing !== null && Object.values(column.became).every((each) => each !== null);
  }
}

function reportsOf(columns: ReadonlyMap<string, Column>): ColumnReport[] {
  // An id that is a hash of the row depends on every column, as does a URL with the id.
  const isHash = [...columns.values()].filter(({ fields }) => fields.has('source_listing_id')).length > 1;
  return Array.from(columns, ([column, { rows, fields, unread, example, became: of }]) => {
    const own = [...fields].filter((field) => !isHash || !HASHED.has(field));
    return { column, example, fields: own.length > 0 ? own : [...fields], became: of, rows, unread };
  });
}

const HASHED: ReadonlySet<string> = new Set(['source_listing_id', 'url']);

/** Non-empty values. An array of values is one value, and so is what is nested deeper than `MAX_DEPTH`. */
function leaves(row: unknown, path: readonly string[] = []): [name: string, path: readonly string[], value: unknown][] {
  const isLeaf = Array.isArray(row) ? !row.some((each) => isObject(each)) : !isObject(row);
  if (isLeaf || path.length === MAX_DEPTH)
    return isEmpty(row) ? [] : [[path.filter((part) => !/^\d+$/.test(part)).join('.') || '-', path, row]];
  const found = Object.entries(row as Row).flatMap(([key, value]) => leaves(value, [...path, key]));
  // Elements of an array have one name, of which the first is shown.
  return Array.isArray(row) ? found.filter(([name], at) => found.findIndex((each) => each[0] === name) === at) : found;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** None, another one, and values that code tables contain. */
const replacements = (value: unknown): unknown[] => [
  undefined,
  typeof value === 'boolean' ? !value : `${shown(value)}x`,
  'Yes',
  '1',
];

function fieldsOf(
  row: unknown,
  path: readonly string[],
  value: unknown,
  raw: RawListing,
  map: (row: Row) => RawListing,
) {
  const fields = new Set<string>();
  for (const replacement of replacements(value)) {
    try {
      const other = map(replaced(row, path, replacement) as Row);
      for (const field of new Set([...Object.keys(raw), ...Object.keys(other)]))
        if (valueIn(raw, field) !== valueIn(other, field)) fields.add(field);
    } catch {}
  }
  return fields;
}

const valueIn = (raw: RawListing, field: string): string => JSON.stringify(raw[field as keyof RawListing] ?? null);

function replaced(row: unknown, [key, ...path]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = Array.isArray(row) ? [...row] : { ...(row as object) };
  const next = replaced((row as Row)[key], path, value);
  return Object.assign(copy, { [key]: next });
}

/** By the field from which they are read. Fields with the same name are omitted. */
const NORMALIZED: Partial<Record<keyof RawListing, (listing: NormalizedListing) => unknown>> = {
  // Accepted ads are offered.
  status: () => 'offered',
  purpose: ({ listing_type }) => listing_type,
  price: ({ price_as_posted: posted, price_yearly_sar: yearly }) =>
    posted &&
    `${posted.amount} ${posted.currency ?? 'SAR'} ${posted.frequency}${yearly === null || yearly === posted.amount ? '' : `, compared as ${yearly} SAR`}`,
  price_period: ({ price_as_posted: posted }) => posted?.frequency ?? null,
  currency: ({ price_as_posted: posted }) => posted && (posted.currency ?? 'SAR'),
  area: ({ area_sqm }) => area_sqm && `${area_sqm} m²`,
  area_unit: ({ area_sqm }) => area_sqm && `${area_sqm} m²`,
  neighborhood: ({ neighborhood_id: id }) => (id === null ? null : (NEIGHBORHOODS_BY_ID.get(id)?.name_en ?? id)),
  street_width: ({ street_width_m }) => street_width_m,
  project: ({ project }) => project?.name ?? project?.id ?? null,
  photos: ({ photos }) => (photos.length === 0 ? null : photos.length === 1 ? '1 photo' : `${photos.length} photos`),
  amenities: ({ amenities }) => (amenities.length === 0 ? null : amenities.join(', ')),
  verified: ({ verified_by_source }) => verified_by_source,
  financing: ({ financing }) => JSON.stringify(financing),
  updated_at: ({ source_updated_at }) => source_updated_at,
};

function became(field: string, listing: NormalizedListing): unknown {
  const read = NORMALIZED[field as keyof RawListing];
  const value = read ? read(listing) : listing[field as keyof NormalizedListing];
  return typeof value === 'string' ? shown(value) : (value ?? null);
}

/** Fields whose stated value could not be read. */
const unreadFields = (raw: RawListing, unread: readonly UnreadValue[]): (keyof RawListing)[] =>
  (Object.keys(raw) as (keyof RawListing)[]).filter((field) => {
    const name = REPORTED_AS[field as keyof typeof REPORTED_AS] ?? field;
    return leaves(raw[field]).length > 0 && unread.some((each) => each.field === name);
  });

function shown(value: unknown): string {
  const text = excerptOf(value, 4 * EXAMPLE_CHARACTERS);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= EXAMPLE_CHARACTERS ? line : `${line.slice(0, EXAMPLE_CHARACTERS - 1).toWellFormed()}…`;
}
