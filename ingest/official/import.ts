import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type pg from 'pg';
import { CITIES } from '#domain/geography/gazetteer.ts';
import { quarterLabel } from '#domain/official/quarters.ts';
import { RENT_BOUNDS } from '#domain/official/rents.ts';
import type { OfficialRules } from '#domain/official/rules.ts';
import { codeOf } from '#domain/store-error.ts';
import * as sql from '#postgres/rows.ts';
import { mergeDerivedIndex } from '#search/derived-index/index.ts';
import { copyIn, copyNumber, copyText } from '../postgres/copy-in.ts';
import { refusalOf } from '../postgres/refusal.ts';
import { saveAccepted } from '../postgres/save-accepted.ts';
import { transact } from '../postgres/writer.ts';
import { type OfficialContext, withOfficialLock } from './context.ts';
import { doubtsOf, factsOf, MAX_FAULTY_SHARE, MIN_SHARE_OF_SERVED } from './doubts.ts';
import { servedSql } from './exclusion.ts';
import type { KindReader } from './kind.ts';
import { LAYOUT_TEXT, type OfficialKind } from './layouts.ts';
import { forget, type Load, promote, recover } from './loads.ts';
import { PLACE_TEXT } from './places.ts';
import { type OfficialFile, openOfficialFile } from './read.ts';
import { fileFault, UnreadableFile } from './table.ts';
import { markTransactionsStale, settleTransactions } from './transactions-index.ts';

export interface ImportOptions {
  /** City for files that do not state one. Defaults to the city in the file name. */
  city?: string | undefined;
  /** Whether to read files again whose content has been imported before. */
  again?: boolean | undefined;
  /** Minimum age in milliseconds of files in a folder. More recent ones, maybe incomplete, are left for later. */
  settleMs?: number | undefined;
  onFile?: ((report: FileReport) => void) | undefined;
}

interface QuarterReport {
  quarter: string;
  scope: string;
  rows: number;
  /** `covered`: not imported, because a load for the whole country is served. */
  state: 'current' | 'unchanged' | 'held' | 'covered';
  detail: string | null;
}

export interface FileReport {
  id: number | null;
  name: string;
  kind: OfficialKind | null;
  layout: string | null;
  /** `unreadable`: missing or not readable. The next import retries the file. */
  status: 'imported' | 'held' | 'repeated' | 'refused' | 'unreadable';
  rows: number;
  taken: number;
  /** Number of rejected rows by reason. */
  rejected: Record<string, number>;
  quarters: QuarterReport[];
  detail: string | null;
  seconds: number;
}

/**
 * Imports a file, or all CSV and XLSX files in a folder, oldest first. Later files replace quarters from earlier files.
 * Files that were imported before are skipped.
 * @throws OfficialBusyError if another process is importing
 */
export async function importOfficial(
  context: OfficialContext,
  path: string,
  options: ImportOptions = {},
): Promise<FileReport[]> {
  const files = await filesOf(path, options.settleMs ?? 0);
  return withOfficialLock(context.pool, async (db) => {
    await recover(context, db);
    const reports: FileReport[] = [];
    for (const file of files) {
      context.signal.throwIfAborted();
      const report = await importFile(context, db, file, options);
      reports.push(report);
      options.onFile?.(report);
    }
    if (
      reports.some(({ kind, quarters }) => kind === 'transactions' && quarters.some(({ state }) => state === 'current'))
    )
      await mergeDerivedIndex(context.opensearch, 'transactions');
    // Also required after files of other kinds, because the index record contains the id of the last load of any kind.
    if (reports.length > 0) await settleTransactions(context, db);
    return reports;
  });
}

/**
 * Synchronizes the transactions index with the stored loads, the rules and the index template.
 * @param rebuild whether to build a new index even if the current one appears to be up to date
 */
export function prepareOfficial(context: OfficialContext, rebuild = false): Promise<void> {
  return withOfficialLock(context.pool, async (db) => {
    if (rebuild) await markTransactionsStale(db);
    await recover(context, db);
  });
}

interface NamedFile {
  path: string;
  name: string;
}

async function filesOf(path: string, settleMs: number): Promise<NamedFile[]> {
  const found = await stat(path);
  if (!found.isDirectory()) return [{ path, name: basename(path) }];
  const paths = await pathsUnder(path);
  // A file that is removed in the meantime is reported later, when it is read.
  const files = await Promise.all(
    paths.map(async (file) => ({ file, at: (await stat(file).catch(ifFileFault({ mtimeMs: 0 }))).mtimeMs })),
  );
  return files
    .filter(({ at }) => Date.now() - at >= settleMs)
    .sort((a, b) => a.at - b.at || (a.file < b.file ? -1 : 1))
    .map(({ file }) => ({ path: file, name: relative(path, file) }));
}

/** Returns the files in a folder. A folder that cannot be opened is returned as a file, so that it is reported. */
async function pathsUnder(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) paths.push(...(await pathsUnder(path).catch(ifFileFault([path]))));
    else if (entry.isFile() && /^[^.~].*\.(csv|xlsx)$/i.test(entry.name)) paths.push(path);
  }
  return paths;
}

const ifFileFault =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (fileFault(error) === null) throw error;
    return instead;
  };

/** Imports one file. Refused and unreadable files are reported and do not throw. */
async function importFile(
  context: OfficialContext,
  db: pg.PoolClient,
  { path, name }: NamedFile,
  { city, again = false }: ImportOptions,
): Promise<FileReport> {
  const begun = performance.now();
  const readAs = { city: city ?? cityInName(name), idKey: context.idKey };
  const report: FileReport = {
    id: null,
    name,
    kind: null,
    layout: null,
    status: 'refused',
    rows: 0,
    taken: 0,
    rejected: {},
    quarters: [],
    detail: null,
    seconds: 0,
  };
  const done = (): FileReport => ({ ...report, seconds: Math.round(performance.now() - begun) / 1000 });
  const unreadable = (error: unknown): FileReport => {
    const fault = fileFault(error);
    if (fault === null) throw error;
    return {
      ...done(),
      id: null,
      status: 'unreadable',
      detail: `It cannot be read (${fault}); the import will retry it.`,
    };
  };
  const digest = await digestOf(path, readAs.city, context.signal).catch(unreadable);
  if (typeof digest !== 'string') return digest;
  const known = await sql.queryRow(
    db,
    { id: sql.integer, status: sql.text },
    `select id, status from official_files where digest = $1 and status <> 'reading' order by id desc limit 1`,
    [digest],
  );
  if (known && !again) {
    const detail = `Its content has been read before, as file ${known.id} (${known.status}).`;
    return { ...done(), id: known.id, status: 'repeated', detail };
  }
  const { id } = await sql.queryOne(
    db,
    { id: sql.integer },
    'insert into official_files (digest, name) values ($1, $2) returning id',
    [digest, name.slice(0, 300)],
  );
  report.id = id;
  try {
    const file = await openOfficialFile(path, context.signal);
    report.kind = file.reader.kind;
    report.layout = file.layout;
    const complaint = file.reader.check?.({ ...readAs, layout: file.layout });
    if (complaint) throw new UnreadableFile(complaint);
    await stage(context, db, file, readAs, report);
    if (report.taken === 0)
      throw new UnreadableFile(`Not one of ${report.rows} rows can be taken. ${reasonsText(report)}`);
    const complaintOfAll = await implausible(db, file.reader);
    if (complaintOfAll !== null) throw new UnreadableFile(complaintOfAll);
    if (report.taken * 2 < report.rows)
      throw new UnreadableFile(`Only ${report.taken} of ${report.rows} rows can be taken. ${reasonsText(report)}`);
    const staged = await makeLoads(db, file, context.rules, report);
    await promote(context, db, staged);
    const states = new Set(report.quarters.map(({ state }) => state));
    if (states.has('covered') && !states.has('current') && !states.has('held')) throw new UnreadableFile(COVERED);
    report.status = states.has('held') ? 'held' : states.has('current') ? 'imported' : 'repeated';
    if (report.status === 'repeated') report.detail = 'All its quarters are already served unchanged.';
  } catch (error) {
    if (fileFault(error) !== null) {
      await db.query('delete from official_files where id = $1', [id]);
      return unreadable(error);
    }
    const isKnown = error instanceof UnreadableFile;
    if (!isKnown && refusalOf(error) === null) throw error;
    report.status = 'refused';
    // Messages of Postgres contain values, which may be deed numbers.
    report.detail = isKnown
      ? error.message
      : `Its content cannot be processed: ${codeOf(error) ?? 'unexpected value'}.`;
  }
  await db.query(
    `update official_files set status = $2, kind = $3, layout = $4, rows = $5, taken = $6, rejected = $7, reasons = $8,
       detail = $9, finished_at = now() where id = $1`,
    [
      id,
      report.status,
      report.kind,
      report.layout,
      report.rows,
      report.taken,
      report.rows - report.taken,
      JSON.stringify(report.rejected),
      report.detail,
    ],
  );
  return done();
}

const COVERED =
  'Its quarters are served from a file of the whole country, which takes precedence over files of one city.';

/** Returns a hash of the file's bytes and city, and of the layouts, place names and rent bounds used to read it. */
async function digestOf(path: string, city: string | null, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256').update(`${city} ${READING}`);
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
const READING = createHash('sha256')
  .update(LAYOUT_TEXT)
  .update(PLACE_TEXT)
  .update(JSON.stringify(RENT_BOUNDS))
  .digest('hex');

/** Returns the city in a file name such as `deals_riyadh.csv`, or null. */
export function cityInName(name: string): string | null {
  const words = basename(name)
    .toLowerCase()
    .replace(/[^a-z]+/g, '_');
  return CITIES.find(({ slug }) => `_${words}_`.includes(`_${slug}_`))?.slug ?? null;
}

const reasonsText = ({ rejected }: FileReport): string =>
  Object.entries(rejected)
    .map(([reason, count]) => `${reason}: ${count}`)
    .join(', ');

/** Maximum number of rejects that are stored per file: for reading, and for each later check. */
const MAX_REJECTS = 1_000;

/** Reads a file's rows into the temporary table `staged`. */
async function stage(
  { signal, onProgress }: OfficialContext,
  db: pg.PoolClient,
  file: OfficialFile,
  readAs: { city: string | null; idKey: string },
  report: FileReport,
): Promise<void> {
  const { columns } = file.reader;
  const definitions = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
  await db.query(
    `drop table if exists staged; create temp table staged (line integer, scope text, ${definitions.join(', ')})`,
  );
  const target = `staged (line, scope, ${Object.keys(columns).join(', ')})`;
  let kept = 0;
  for await (const batch of file.batches(readAs)) {
    signal.throwIfAborted();
    const taken: { line: number; text: string }[] = [];
    const rejects: string[] = [];
    const reject = (line: number, reason: string, detail: string): void => {
      report.rejected[reason] = (report.rejected[reason] ?? 0) + 1;
      if (kept++ < MAX_REJECTS) rejects.push(`${report.id}\t${line}\t${copyText(reason)}\t${copyText(detail)}`);
    };
    for (const row of batch) {
      report.rows += 1;
      if ('taken' in row) {
        report.taken += 1;
        const { line, taken: values } = row;
        taken.push({ line, text: `${line}\t${copyText(values.scope)}\t${values.values.map(copyValue).join('\t')}` });
      } else reject(row.line, row.reason, row.detail);
    }
    const save = (part: readonly { text: string }[]): Promise<void> =>
      copyIn(
        db,
        target,
        part.map(({ text }) => text),
      );
    await transact(db, () =>
      // The reason of Postgres contains the value, which may be a deed number.
      saveAccepted(db, taken, save, ({ line }) => {
        report.taken -= 1;
        reject(line, 'refused_by_store', 'Postgres does not accept a value of the row');
      }),
    );
    await copyIn(db, 'official_rejects (file_id, line, reason, detail)', rejects);
    onProgress?.(`read ${report.rows} rows`);
  }
  await db.query('analyze staged');
}

/** Minimum number of rows for checks of a whole file. */
const JUDGED_FROM = 20;

/** Checks all rows together, for faults that no single row shows. @returns the fault, or null */
async function implausible(db: pg.PoolClient, { ratio }: KindReader): Promise<string | null> {
  if (ratio === undefined) return null;
  const { rows, median } = await sql.queryOne(
    db,
    { rows: sql.integer, median: sql.nullable(sql.number) },
    `select count(*) as rows, percentile_cont(0.5) within group (order by ${ratio.sql}) as median from staged`,
  );
  if (rows < JUDGED_FROM || median === null || (median >= ratio.least && median <= ratio.most)) return null;
  return `The median ${ratio.what} of its rows is ${Number(median.toPrecision(3))}: ${ratio.suspicion}.`;
}

const copyValue = (value: string | number | null): string =>
  typeof value === 'number' ? copyNumber(value) : copyText(value);

/** Returns the reasons to hold all quarters in a file: faults that affect the whole file. */
function doubtsOfFile({ isClosed }: OfficialFile, { rows, rejected }: FileReport): string[] {
  const { repeated_row: _, ...others } = rejected;
  const lost = Object.values(others).reduce((sum, count) => sum + count, 0);
  const negative = others.negative_count ?? 0;
  return [
    ...(isClosed() ? [] : ['its last row is not closed: the file may be cut']),
    ...(negative > 0 ? [`${negative} rows have a negative count`] : []),
    ...(rows >= JUDGED_FROM && lost > rows * MAX_FAULTY_SHARE ? [`${lost} of ${rows} rows cannot be taken`] : []),
  ];
}

/**
 * Creates loads from staged rows in one database transaction: one load per quarter that differs from the current one. A
 * quarter is held if it is too small, or if `doubtsOfFile`, `doubtsOf` or the reader's `judge` returns reasons.
 * @returns the loads to promote
 */
function makeLoads(db: pg.PoolClient, file: OfficialFile, rules: OfficialRules, report: FileReport): Promise<Load[]> {
  const { reader } = file;
  const served = reader.kind === 'transactions' ? servedSql(rules) : 'true';
  return transact(db, async () => {
    const fileDoubts = doubtsOfFile(file, report);
    const repeats = await repeatsByQuarter(db, reader);
    await settleRepeats(db, reader, report);
    if (reader.day !== undefined) await rejectStrays(db, served, report);
    const doubted = await reader.judge?.(db, (reason, detail, lines) =>
      rejectLines(db, report, reason, detail, 'select unnest($4::int[])', lines),
    );
    const content = Object.keys(reader.columns)
      .map((column) => `coalesce(${column}::text, '')`)
      .join(`, `);
    const rows = await sql.queryRows(
      db,
      FOUND_QUARTER,
      `select scope, quarter, count(*)::integer as rows, (count(*) filter (where ${served}))::integer as served,
              ${reader.day === undefined ? 'null' : `(max(${reader.day}) filter (where ${served}))::text`} as last_day,
              ${reader.kind === 'transactions' ? `bool_or(land_use_class <> 'other')` : 'true'} as names_classes,
              count(*) || ':' || sum(hashtextextended(concat_ws('|', ${content}), 0)::numeric) as digest
         from staged group by scope, quarter order by scope, quarter`,
    );
    const staged: Load[] = [];
    for (const found of rows) {
      const { scope, quarter } = found;
      const doubt = doubted?.find((other) => other.scope === scope && other.quarter === quarter)?.doubt;
      const repeated = repeats.get(`${scope} ${quarter}`) ?? 0;
      const facts = await factsOf(db, reader, { scope, quarter, repeated });
      const doubts = [...fileDoubts, ...doubtsOf(facts, currentQuarter()), ...(doubt === undefined ? [] : [doubt])];
      const load = await makeLoad(db, reader, { ...found, doubts }, report);
      if (load !== null) staged.push(load);
    }
    await db.query('drop table staged');
    return staged;
  });
}

const currentQuarter = (): number => {
  const now = new Date();
  return now.getUTCFullYear() * 4 + Math.floor(now.getUTCMonth() / 3);
};

/** Counts each quarter's repeated rows before they are removed. */
async function repeatsByQuarter(db: pg.PoolClient, { unique, columns }: KindReader): Promise<Map<string, number>> {
  if (unique.length === 0) return new Map();
  const rows = await sql.queryRows(
    db,
    { scope: sql.text, quarter: sql.integer, repeated: sql.integer },
    `select scope, quarter, sum(n - 1)::integer as repeated
       from (select scope, quarter, count(*) as n from staged group by scope, ${Object.keys(columns).join(', ')}) c
      group by 1, 2 having sum(n - 1) > 0`,
  );
  return new Map(rows.map(({ scope, quarter, repeated }) => [`${scope} ${quarter}`, repeated]));
}

const FOUND_QUARTER = {
  scope: sql.text,
  quarter: sql.integer,
  rows: sql.integer,
  /** Number of rows that no rule excludes. Excluded rows affect neither the size check nor `last_day`. */
  served: sql.integer,
  last_day: sql.nullable(sql.text),
  /** Whether any transaction states a land-use class. The layout for single cities has no column for it. */
  names_classes: sql.boolean,
  digest: sql.text,
};

async function makeLoad(
  db: pg.PoolClient,
  reader: KindReader,
  {
    scope,
    quarter,
    rows,
    served,
    last_day,
    names_classes,
    digest,
    doubts,
  }: sql.RowOf<typeof FOUND_QUARTER> & { doubts: string[] },
  report: FileReport,
): Promise<Load | null> {
  const { kind, table, columns } = reader;
  const found = { quarter: quarterLabel(quarter), scope, rows };
  const others = await sql.queryRows(
    db,
    { id: sql.integer, scope: sql.text, state: sql.text, rows: sql.integer, served: sql.integer, digest: sql.text },
    `select id, scope, state, rows, served, digest from official_loads
      where kind = $1 and quarter = $2 and state in ('current', 'held') and ($3 = '' or scope in ('', $3))`,
    [kind, quarter, scope],
  );
  const currents = others.filter(({ state }) => state === 'current');
  if (scope !== '' && currents.some((load) => load.scope === '')) {
    report.quarters.push({ ...found, state: 'covered', detail: COVERED });
    return null;
  }
  // A later file replaces a held load for the same quarter.
  for (const other of others)
    if (other.state === 'held' && (scope === '' || other.scope === scope)) await forget(db, { id: other.id, kind });
  if (currents.some((load) => load.scope === scope && load.digest === digest)) {
    report.quarters.push({ ...found, state: 'unchanged', detail: null });
    return null;
  }
  const total = (of: 'rows' | 'served'): number => currents.reduce((sum, load) => sum + load[of], 0);
  // If the rules exclude the whole quarter, all rows are counted.
  const [size, before] = total('served') > 0 ? [served, total('served')] : [rows, total('rows')];
  const shrunk = size < before * MIN_SHARE_OF_SERVED ? [`${size} rows where ${before} are served`] : [];
  const detail = [...new Set([...shrunk, ...doubts])].join('; ').slice(0, 2_000) || null;
  const held = detail !== null;
  const { id } = await sql.queryOne(
    db,
    { id: sql.integer },
    `insert into official_loads (kind, scope, quarter, file_id, digest, rows, served, last_day, names_classes, state, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    [kind, scope, quarter, report.id, digest, rows, served, last_day, names_classes, held ? 'held' : 'staged', detail],
  );
  const names = Object.keys(columns).join(', ');
  await db.query(
    `insert into ${table} (load_id, ${names}) select $1, ${names} from staged where scope = $2 and quarter = $3`,
    [id, scope, quarter],
  );
  report.quarters.push({ ...found, state: held ? 'held' : 'current', detail });
  return held ? null : { id, kind, scope, quarter };
}

/**
 * Resolves rows with equal identities. Of transactions, exact repetitions are rejected. The others get consecutive keys
 * in an order that does not depend on their positions in the file. Of other kinds, only the first row is kept.
 */
async function settleRepeats(
  db: pg.PoolClient,
  { kind, unique, columns }: KindReader,
  report: FileReport,
): Promise<void> {
  if (unique.length === 0) return;
  const identity = unique.map((column) => `coalesce(${column}::text, '')`).join(', ');
  const content = Object.keys(columns).join(', ');
  await db.query(`drop table if exists repeats; create temp table repeats on commit drop as
    select line, ${kind === 'transactions' ? `row_number() over (partition by ${content} order by line)` : `row_number() over (partition by ${unique.join(', ')} order by line)`} as copy
      from staged where (${identity}) in (select ${identity} from staged group by ${identity} having count(*) > 1)`);
  await rejectLines(
    db,
    report,
    'repeated_row',
    'the row repeats an earlier row',
    'select line from repeats where copy > 1',
  );
  if (kind !== 'transactions') return;
  await db.query(
    `update staged s set key = s.key + n.place - 1
       from (select line, row_number() over (partition by key order by day, price_sar, area_sqm, ministry_district_ar, line) as place
               from staged where line in (select line from repeats)) n
      where n.line = s.line and n.place > 1`,
  );
}

/** Minimum number of rows in a file for rejecting strays: transactions of quarters with fewer than 1% of them. */
const STRAYS_FROM = 200;

/** Rejects rows dated outside the file's quarters. Served and excluded transactions are compared separately. */
async function rejectStrays(db: pg.PoolClient, served: string, report: FileReport): Promise<void> {
  const isFew = (count: string, all: string): string => `${all} >= ${STRAYS_FROM} and ${count} * 100 < ${all}`;
  await rejectLines(
    db,
    report,
    'outside_quarter',
    'the date is outside the quarters of the file',
    `select line from staged where quarter in (
       select quarter from (
         select quarter, served, deals, sum(served) over () as all_served, sum(deals) over () as all_deals from (
           select quarter, count(*) filter (where ${served}) as served, count(*) as deals from staged group by quarter) c) q
        where case when served > 0 then ${isFew('served', 'all_served')} else ${isFew('deals', 'all_deals')} end)`,
  );
}

async function rejectLines(
  db: pg.PoolClient,
  report: FileReport,
  reason: string,
  detail: string,
  lines: string,
  numbers: readonly number[] = [],
): Promise<void> {
  const { count } = await sql.queryOne(
    db,
    { count: sql.integer },
    `with gone as (delete from staged where line in (${lines}) returning line),
          kept as (insert into official_rejects (file_id, line, reason, detail)
                   select $1, line, $2, $3 from gone order by line limit ${MAX_REJECTS} on conflict do nothing)
     select count(*) as count from gone`,
    [report.id, reason, detail, ...(numbers.length > 0 ? [numbers] : [])],
  );
  if (count === 0) return;
  report.taken -= count;
  report.rejected[reason] = (report.rejected[reason] ?? 0) + count;
}
