import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { knownMarks } from '#postgres/index-registry.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { OpenSearch } from '#search/client.ts';
import { type LastIds, newMark, type RunRecord, readRunRecords } from '#search/meta.ts';
import type { Writer } from '../postgres/writer.ts';
import type { RunContext } from './context.ts';
import { readLastIds } from './last-ids.ts';

/** Number of ids that are skipped after a restore, far more than are assigned between two backups. */
const MARGIN: LastIds = { listing: 1_000_000, project: 100_000, developer: 100_000, run: 10_000 };

/** A database restore to an earlier state. */
export interface Restore {
  /** Suffix of the ids of later events, so that these ids differ from the ids of lost events. */
  epoch: string;
  at: Date;
  reason: 'detected' | 'stated';
  /** The last run in the restored database. */
  after_run: number;
  /** Time at which all indexes had been rebuilt; null before. */
  rebuilt_at: Date | null;
}

/** Records the run in the index, before any id that the run assigned becomes visible. */
export async function recordRun({ writer, pool, listingIndex, followed }: RunContext): Promise<void> {
  if (followed) return;
  const mark = newMark();
  await writer.transaction((client) => beginMarks(client, [mark]), { durable: true });
  await listingIndex.recordRun({
    mark,
    installation: await readInstallation(pool),
    ids: await readLastIds(pool),
  });
}

/**
 * Detects that the database was restored to an earlier state: an index contains the mark of a run that the database
 * lacks.
 * After a restore, advances the last ids and starts a new epoch of events. The caller must hold the ingest lock.
 * @param records run records from the indexes
 * @returns the last restore, or null
 */
export async function findRestore(writer: Writer, records: readonly RunRecord[]): Promise<Restore | null> {
  return writer.transaction(
    async (client) => {
      const unknown = await unknownMarks(client, records);
      return unknown.length === 0 ? readLastRestore(client) : saveRestore(client, 'detected', unknown, records);
    },
    { durable: true },
  );
}

/** Returns whether the indexes must be rebuilt because the database was restored. Needs no lock. */
export async function isRebuildDue(pool: pg.Pool, client: OpenSearch): Promise<boolean> {
  // Index records are read first, because Postgres records a mark before an index contains it.
  const records = await readRunRecords(client);
  const last = await readLastRestore(pool);
  return (last !== null && last.rebuilt_at === null) || (await unknownMarks(pool, records)).length > 0;
}

/**
 * Records a restore that an operator reports, for cases in which no index can prove it because the index was lost or
 * restored too. A repeated report before the next run counts as the same restore. The caller must hold the ingest lock.
 */
export async function stateRestore(
  writer: Writer,
  records: readonly RunRecord[],
): Promise<{ restore: Restore; ids: LastIds; isNew: boolean }> {
  return writer.transaction(
    async (client) => {
      const unknown = await unknownMarks(client, records);
      const last = await readLastRestore(client);
      const { rows } = await client.query<{ run: number }>('select coalesce(max(id), 0) as run from ingest_runs');
      const isNew = unknown.length > 0 || last === null || last.after_run !== rows[0]?.run;
      const restore = isNew ? await saveRestore(client, 'stated', unknown, records) : last;
      return { restore, ids: await readLastIds(client), isNew };
    },
    { durable: true },
  );
}

/** Returns the last run's record as written to an index; null if no run has a mark. */
export async function lastRunRecord(pool: pg.Pool): Promise<RunRecord | null> {
  const { rows } = await pool.query<{ mark: string }>(
    `select mark from index_marks where name = 'run' order by begun_at desc, mark limit 1`,
  );
  if (!rows[0]) return null;
  return { mark: rows[0].mark, installation: await readInstallation(pool), ids: await readLastIds(pool) };
}

/** Returns the last restore of the database; null if there was none. */
export async function readLastRestore(db: Queryable): Promise<Restore | null> {
  const { rows } = await db.query<Restore>(
    'select epoch, at, reason, after_run, rebuilt_at from restores order by id desc limit 1',
  );
  return rows[0] ?? null;
}

/** Returns the marks in this installation's indexes that are missing in this database. */
async function unknownMarks(db: Queryable, records: readonly RunRecord[]): Promise<string[]> {
  const installation = await readInstallation(db);
  const marks = records.filter((record) => record.installation === installation).map(({ mark }) => mark);
  const known = await knownMarks(db, marks);
  return marks.filter((mark) => !known.has(mark));
}

async function saveRestore(
  client: pg.ClientBase,
  reason: Restore['reason'],
  unknown: readonly string[],
  records: readonly RunRecord[],
): Promise<Restore> {
  const last = await readLastIds(client);
  const above = (kind: keyof LastIds): number =>
    Math.max(last[kind], ...records.map(({ ids }) => ids[kind])) + MARGIN[kind];
  const { rows } = await client.query<Restore>(
    `insert into restores (epoch, reason, after_run, last_listing, last_project, last_developer, last_run)
     select $1, $2, coalesce(max(id), 0), $3, $4, $5, $6 from ingest_runs
     returning epoch, at, reason, after_run, rebuilt_at`,
    [randomBytes(6).toString('hex'), reason, above('listing'), above('project'), above('developer'), above('run')],
  );
  const restore = rows[0] as Restore;
  // A resumed run may produce different results than before the restore, so its events belong to the new epoch.
  await client.query(`update ingest_runs set epoch = $1 where status <> 'completed'`, [restore.epoch]);
  await beginMarks(client, unknown);
  // Derived indexes do not match the restored tables, so an interrupted run repeats the stages that fill them.
  await client.query(
    `delete from ingest_run_stages s using ingest_runs r
      where r.id = s.run_id and r.status <> 'completed' and s.stage in ('history', 'project_index', 'deals')`,
  );
  await client.query(`update derived_indexes set made_with = null`);
  await client.query('update webhook_endpoints set indexed_in = null');
  return restore;
}

/** Records marks in Postgres: before they are written to an index, or after they were found in one. */
async function beginMarks(db: Queryable, marks: readonly string[]): Promise<void> {
  await db.query(
    `insert into index_marks (mark, name) select mark, 'run' from unnest($1::text[]) as m (mark)
     on conflict do nothing`,
    [marks],
  );
}

/** Returns the time of the first migration, which identifies the installation, also in restored backups. */
async function readInstallation(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ at: string }>(
    `select extract(epoch from migration_time)::text as at from knex_migrations order by id limit 1`,
  );
  return rows[0]?.at ?? '';
}
