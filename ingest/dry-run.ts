import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { withoutMark } from '#domain/file-text.ts';
import { NO_BOUNDARIES } from '#domain/geography/boundaries.ts';
import {
  type Column,
  type ColumnReport,
  describeColumns,
  isObject,
  leaves,
  MAX_COLUMNS,
  type Row,
  reportsOf,
  unreadFields,
} from './column-reports.ts';
import { FetchCounts, repeats } from './fetch/ad-counts.ts';
import type { AdResult } from './fetch/ad-reader.ts';
import { listingIn } from './fetch/ad-row.ts';
import { batchesOf } from './fetch/batches.ts';
import { mapTwice, readAds } from './fetch/read-ads.ts';
import type { Reject } from './fetch/reject-log.ts';
import { definitions } from './load-sources.ts';
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
const ROW_CHARACTERS = 300;

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
