import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type pg from 'pg';
import { CITIES } from '#domain/geography/gazetteer.ts';
import { quarterLabel } from '#domain/official/quarters.ts';
import { codeOf } from '#domain/store-error.ts';
import { mergeIndex } from '#stores/opensearch/segments.ts';
import { markStale } from '#stores/postgres/index-registry.ts';
import { integer, queryOne, queryRow, text } from '#stores/postgres/rows.ts';
import { type Transaction, transact } from '#stores/postgres/transaction.ts';
import { refusalOf } from '../postgres/save-accepted.ts';
import { VERSIONS } from '../versions.ts';
import { emptyReport, type FileReport } from './file-report.ts';
import {
  describeHold,
  fileHoldReasons,
  type HoldReason,
  quarterHoldReasons,
  shrinkOf,
  swapOf,
} from './hold-reasons.ts';
import { currentLoads, deedsIn, forgetHeld, type Load, priceChanges, promote, recover, saveLoad } from './loads.ts';
import { type OfficialContext, withOfficialLock } from './official-context.ts';
import { type OfficialFile, openOfficialFile } from './read.ts';
import { StagedRows } from './staged.ts';
import { contradictionsOf, quartersIn } from './stated-quarters.ts';
import { fileFault, UnreadableFile } from './table.ts';
import { servedSql, settleTransactions } from './transactions-index.ts';

export interface ImportOptions {
  /** City of files that do not state one. Defaults to the city in the file name. */
  city?: string | undefined;
  /** Whether to read imported files again. */
  again?: boolean | undefined;
  /** Minimum age in milliseconds of files in a folder. More recent ones may be incomplete. */
  settleMs?: number | undefined;
  onFile?: ((report: FileReport) => void) | undefined;
}

/**
 * Imports a file, or all CSV and XLSX files in a folder, oldest first: later files replace quarters of earlier ones.
 * @throws BusyError
 */
export async function importOfficial(
  context: OfficialContext,
  path: string,
  options: ImportOptions = {},
): Promise<FileReport[]> {
  const files = await filesOf(path, options);
  return withOfficialLock(context.pool, async (db) => {
    await recover(context, db);
    const reports: FileReport[] = [];
    for (const { path: file, name } of files) {
      context.signal.throwIfAborted();
      const begun = performance.now();
      const report = emptyReport(name);
      await importFile(context, db, file, report, options);
      report.seconds = Math.round(performance.now() - begun) / 1000;
      reports.push(report);
      options.onFile?.(report);
    }
    if (
      reports.some(({ kind, quarters }) => kind === 'transactions' && quarters.some(({ state }) => state === 'current'))
    )
      await mergeIndex(context.opensearch, context.opensearch.aliases.transactions);
    // After files of any kind, because the index record has the id of the last load of any kind.
    if (reports.length > 0) await settleTransactions(context, db);
    return reports;
  });
}

/** Synchronizes the transactions index with loads, rules and template. @param rebuild whether to always fill a new index */
export function prepareOfficial(context: OfficialContext, rebuild = false): Promise<void> {
  return withOfficialLock(context.pool, async (db) => {
    if (rebuild) await markStale(db, 'transactions');
    await recover(context, db);
  });
}

/** Imports one file. Refused and unreadable files are reported. */
async function importFile(
  context: OfficialContext,
  db: pg.PoolClient,
  path: string,
  report: FileReport,
  { city = cityInName(report.name) ?? undefined, again = false }: ImportOptions,
): Promise<void> {
  try {
    const digest = await digestOf(path, { city: city ?? null, name: report.name }, context.signal);
    const known = await queryRow(
      db,
      { id: integer, status: text },
      `select id, status from official_files where digest = $1 and status <> 'reading' order by id desc limit 1`,
      [digest],
    );
    if (known && !again) {
      const detail = `Its content has been read before, as file ${known.id} (${known.status}).`;
      Object.assign(report, { id: known.id, status: 'repeated', detail });
      return;
    }
    const values = [digest, report.name.slice(0, 300)];
    const insert = 'insert into official_files (digest, name) values ($1, $2) returning id';
    report.id = (await queryOne(db, { id: integer }, insert, values)).id;
    await importRows(context, db, path, city ?? null, report);
  } catch (error) {
    const fault = fileFault(error);
    if (fault !== null) {
      await db.query('delete from official_files where id = $1', [report.id]);
      const detail = `It cannot be read (${fault}); the import will retry it.`;
      Object.assign(report, { id: null, status: 'unreadable', detail });
      return;
    }
    const isKnown = error instanceof UnreadableFile;
    if (!isKnown && refusalOf(error) === null) throw error;
    report.status = 'refused';
    // Messages of Postgres contain values, which may be deed numbers.
    report.detail = isKnown
      ? error.message
      : `Its content cannot be processed: ${codeOf(error) ?? 'unexpected value'}.`;
  }
  const { id, status, kind, layout, rows, taken, rejected, detail } = report;
  await db.query(
    `update official_files set status = $2, kind = $3, layout = $4, rows = $5, taken = $6, rejected = $7, reasons = $8,
       detail = $9, finished_at = now() where id = $1`,
    [id, status, kind, layout, rows, taken, rows - taken, JSON.stringify(rejected), detail],
  );
}

const COVERED =
  'Its quarters are served from a file of the whole country, which takes precedence over files of one city.';

/** @throws UnreadableFile if the file is refused */
async function importRows(
  context: OfficialContext,
  db: pg.PoolClient,
  path: string,
  city: string | null,
  report: FileReport,
): Promise<void> {
  const { idKey, signal, onProgress } = context;
  const refuse = (reason: string | null | undefined): void => {
    if (reason) throw new UnreadableFile(reason);
  };
  const file = await openOfficialFile(path, signal);
  const { format, layout } = file;
  Object.assign(report, { kind: format.kind, layout });
  refuse(format.check?.({ city, idKey, layout }));
  const staged = new StagedRows(db, format, report);
  const ambiguous = await staged.fill(file.rows({ city, idKey }), (rows) => {
    onProgress?.(`read ${rows} rows`);
    signal.throwIfAborted();
  });
  const reasons = (): string =>
    Object.entries(report.rejected)
      .map(([reason, count]) => `${reason}: ${count}`)
      .join(', ');
  if (report.taken === 0) refuse(`Not one of ${report.rows} rows can be taken. ${reasons()}`);
  const { rows, median } = await staged.medianRatio();
  refuse(swapOf(format, rows, median));
  if (report.taken * 2 < report.rows) refuse(`Only ${report.taken} of ${report.rows} rows can be taken. ${reasons()}`);
  await promote(context, db, await transact(db, (tx) => makeLoads(tx, file, staged, ambiguous, report)));
  const states = new Set(report.quarters.map(({ state }) => state));
  if (states.has('covered') && !states.has('current') && !states.has('held')) refuse(COVERED);
  report.status = states.has('held') ? 'held' : states.has('current') ? 'imported' : 'repeated';
  if (report.status === 'repeated') report.detail = 'All its quarters are already served unchanged.';
}

/** Creates a load for each changed quarter, and holds doubtful ones. @returns the loads to promote */
async function makeLoads(
  db: Transaction,
  { format, statements, isClosed }: OfficialFile,
  staged: StagedRows,
  ambiguous: Readonly<Record<string, number>>,
  report: FileReport,
): Promise<Load[]> {
  const { kind } = format;
  const served = kind === 'transactions' ? servedSql() : 'true';
  // These also apply to rows that the checks below reject.
  const { rows, rejected } = structuredClone(report);
  const repeated = await staged.repeated();
  await staged.settleRepeats(db);
  await staged.rejectStrays(served);
  const judged = await format.judge?.(db, staged.rejectLines);
  const loads: Load[] = [];
  const quarters = await staged.quarters(served);
  const contradictions = contradictionsOf(
    [{ place: 'the file name', text: basename(report.name) }, ...statements],
    quarters.map(({ quarter }) => quarter),
  );
  const ofFile = fileHoldReasons({ isClosed: isClosed(), contradictions, ambiguous, rows, rejected });
  for (const found of quarters) {
    const { scope, quarter, digest } = found;
    const entry = { quarter: quarterLabel(quarter), scope, rows: found.rows, detail: null };
    const currents = await currentLoads(db, { kind, scope, quarter });
    if (scope !== '' && currents.some((load) => load.scope === '')) {
      report.quarters.push({ ...entry, state: 'covered', detail: COVERED });
      continue;
    }
    await forgetHeld(db, { kind, scope, quarter });
    if (currents.some((load) => load.scope === scope && load.digest === digest)) {
      report.quarters.push({ ...entry, state: 'unchanged' });
      continue;
    }
    const ids = currents.map(({ id }) => id);
    const total = (of: 'rows' | 'served'): number => currents.reduce((sum, load) => sum + load[of], 0);
    const facts = {
      ...found,
      replaced: { rows: total('rows'), served: total('served'), deeds: await deedsIn(db, format, ids) },
      repeated: repeated.get(`${scope} ${quarter}`) ?? 0,
      ...(await priceChanges(db, format, found)),
    };
    const judgement = judged?.find((other) => other.scope === scope && other.quarter === quarter)?.reason;
    const judgedReasons: HoldReason[] = judgement === undefined ? [] : [{ reason: judgement, remedy: 'compare' }];
    const reasons = [...ofFile, ...shrinkOf(facts), ...quarterHoldReasons(facts, currentQuarter()), ...judgedReasons];
    const detail = describeHold(reasons);
    const load = await saveLoad(db, format, found, { file: report.id, detail });
    report.quarters.push({ ...entry, state: detail === null ? 'current' : 'held', detail });
    if (detail === null) loads.push(load);
  }
  await staged.drop();
  return loads;
}

const currentQuarter = (): number => {
  const now = new Date();
  return now.getUTCFullYear() * 4 + Math.floor(now.getUTCMonth() / 3);
};

/** Returns a file, or the CSV and XLSX files in a folder, oldest first. */
async function filesOf(path: string, { settleMs = 0 }: ImportOptions): Promise<{ path: string; name: string }[]> {
  if (!(await stat(path)).isDirectory()) return [{ path, name: basename(path) }];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile() && /^[^.~].*\.(csv|xlsx)$/i.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      // A file that is removed meanwhile is reported when it is read.
      .map(async (file) => ({ file, at: (await stat(file).catch(() => ({ mtimeMs: 0 }))).mtimeMs })),
  );
  return (
    files
      // With 0, files of any age: the clock of a file system may be ahead of the clock of this process.
      .filter(({ at }) => settleMs === 0 || Date.now() - at >= settleMs)
      .sort((a, b) => a.at - b.at || (a.file < b.file ? -1 : 1))
      .map(({ file }) => ({ path: file, name: relative(path, file) }))
  );
}

/** Returns a digest of the content and of what the name states, so that a file can be imported again under a corrected name. */
async function digestOf(
  path: string,
  { city, name }: { city: string | null; name: string },
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256').update([city, ...quartersIn(basename(name)), VERSIONS.official].join(' '));
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Returns the city in a file name such as `deals_riyadh.csv`; null if there is none. */
function cityInName(name: string): string | null {
  const words = basename(name)
    .toLowerCase()
    .replace(/[^a-z]+/g, '_');
  return CITIES.find(({ slug }) => `_${words}_`.includes(`_${slug}_`))?.slug ?? null;
}
