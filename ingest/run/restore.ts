import type pg from 'pg';
import { type LastIds, type PublishedRun, type RunRecord, readRunRecords } from '#stores/opensearch/indexes.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';
import type { Writer } from '../postgres/writer.ts';

const lastId = (table: string, kind: keyof LastIds): string =>
  `greatest((select coalesce(max(id), 0) from ${table}), (select coalesce(max(last_${kind}), 0) from restores))`;

/** SQL for the highest id of each kind that clients may have received. New ids are greater, also after a restore. */
export const LAST_ID: Readonly<Record<keyof LastIds, string>> = {
  listing: lastId('listings', 'listing'),
  // A project has the id of its oldest copy.
  project: lastId('off_plan_records', 'project'),
  developer: lastId('off_plan_developers', 'developer'),
  run: lastId('ingest_runs', 'run'),
};

export function readLastIds(db: Queryable): Promise<LastIds> {
  const columns = Object.entries(LAST_ID).map(([kind, id]) => `${id}::bigint as ${kind}`);
  const ids = { listing: sql.integer, project: sql.integer, developer: sql.integer, run: sql.integer };
  return sql.queryOne(db, ids, `select ${columns.join(', ')}`);
}

const RUN = { run: sql.integer };

/** Number of ids skipped after a restore, far more than are assigned between two backups. */
const MARGIN: LastIds = { listing: 1_000_000, project: 100_000, developer: 100_000, run: 10_000 };

const RESTORE = {
  at: sql.timestamp,
  reason: sql.oneOf(['detected', 'stated']),
  /** The last run in the restored database. */
  after_run: sql.integer,
  /** Time at which all indexes had been rebuilt; null before. */
  rebuilt_at: sql.nullable(sql.timestamp),
};
export type Restore = sql.RowOf<typeof RESTORE>;

/**
 * Detects that the database was restored: an index contains the id of a run that the database lacks. Then advances the
 * last ids. The caller must hold the ingest lock.
 * @param records run records from the indexes
 * @returns the last restore
 */
export async function findRestore(writer: Writer, records: readonly PublishedRun[]): Promise<Restore | null> {
  return writer.transaction(
    async (client) => {
      const unknown = await unknownRuns(client, records);
      return unknown.length === 0 ? readLastRestore(client) : saveRestore(client, 'detected', unknown, records);
    },
    { durable: true },
  );
}

/** Returns whether the indexes must be rebuilt because the database was restored. */
export async function isRebuildDue(pool: pg.Pool, client: OpenSearch): Promise<boolean> {
  // Index records are read first, because Postgres has the id of a run before an index contains it.
  const records = await readRunRecords(client);
  const last = await readLastRestore(pool);
  return (last !== null && last.rebuilt_at === null) || (await unknownRuns(pool, records)).length > 0;
}

/**
 * Records a restore that no index can prove, because it was lost or restored too; once before the next run. The caller
 * must hold the ingest lock.
 */
export async function stateRestore(
  writer: Writer,
  records: readonly PublishedRun[],
): Promise<{ restore: Restore; ids: LastIds; isNew: boolean }> {
  return writer.transaction(
    async (client) => {
      const unknown = await unknownRuns(client, records);
      const last = await readLastRestore(client);
      const { run } = await sql.queryOne(client, RUN, 'select coalesce(max(id), 0) as run from ingest_runs');
      const isNew = unknown.length > 0 || last === null || last.after_run !== run;
      const restore = isNew ? await saveRestore(client, 'stated', unknown, records) : last;
      return { restore, ids: await readLastIds(client), isNew };
    },
    { durable: true },
  );
}

export async function lastRunRecord(pool: pg.Pool): Promise<RunRecord | null> {
  const last = await sql.queryRow(pool, { uid: sql.text }, 'select uid from ingest_runs order by id desc limit 1');
  return last && { id: last.uid, ids: await readLastIds(pool) };
}

export const readLastRestore = (db: Queryable): Promise<Restore | null> =>
  sql.queryRow(db, RESTORE, 'select at, reason, after_run, rebuilt_at from restores order by id desc limit 1');

/** Returns the ids of runs in indexes that this database lacks and no restore records. */
async function unknownRuns(db: Queryable, records: readonly RunRecord[]): Promise<string[]> {
  const rows = await sql.queryRows(
    db,
    { id: sql.text },
    `select shown.uid as id from unnest($1::text[]) as shown (uid)
      where not exists (select from ingest_runs r where r.uid = shown.uid)
        and not exists (select from restores where shown.uid = any (lost_runs))`,
    [[...new Set(records.map(({ id }) => id))]],
  );
  return rows.map(({ id }) => id);
}

async function saveRestore(
  client: Transaction,
  reason: Restore['reason'],
  unknown: readonly string[],
  records: readonly PublishedRun[],
): Promise<Restore> {
  const last = await readLastIds(client);
  const above = (kind: keyof LastIds): number =>
    Math.max(last[kind], ...records.map(({ ids }) => ids[kind])) + MARGIN[kind];
  const restore = await sql.queryOne(
    client,
    RESTORE,
    `insert into restores (reason, lost_runs, after_run, last_listing, last_project, last_developer, last_run)
     select $1, $2, coalesce(max(id), 0), $3, $4, $5, $6 from ingest_runs
     returning at, reason, after_run, rebuilt_at`,
    [reason, unknown, above('listing'), above('project'), above('developer'), above('run')],
  );
  // A resumed run may produce other results than before: it gets new event ids, and writes the indexes again.
  await client.query(
    `delete from listing_events e using ingest_runs r where r.id = e.run_id and r.status <> 'completed'`,
  );
  await client.query(
    `delete from ingest_run_stages s using ingest_runs r
      where r.id = s.run_id and r.status <> 'completed' and s.stage in ('index', 'history', 'project_index', 'deals')`,
  );
  // Another sequence begins after all positions that clients hold. Once per restore: rows that an interrupted fill
  // publishes must follow the copies that begin meanwhile.
  await client.query(
    `update modification_clock set high = v.now, since = v.now, stream = encode(uuid_send(gen_random_uuid()), 'hex')
       from (select greatest(high, $1::bigint, (extract(epoch from clock_timestamp()) * 1000000)::bigint) as now
               from modification_clock) v`,
    [Math.max(0, ...records.map(({ watermark }) => watermark))],
  );
  await client.query('update served_indexes set run = null, made_with = null, previous = null, previous_run = null');
  await client.query('update webhook_endpoints set indexed_in = null');
  return restore;
}
