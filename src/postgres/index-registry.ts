import { type IndexRecord, type IndexSource, SERVED_INDEXES, type ServedIndex } from '#domain/index-state.ts';
import type { Queryable } from './transaction.ts';

export interface RegisteredIndex {
  record: IndexRecord | null;
  source: IndexSource;
}

/** In SQL, the state of the tables that an index is made from; null where the count of its documents shows nothing. */
const VERSION: Readonly<Record<ServedIndex, string>> = {
  listings: 'run',
  history: 'run',
  deals: 'run',
  projects: 'run',
  developers: 'run',
  transactions: 'load',
  // Webhook endpoints come and go at any time: their count is checked when events are matched.
  webhooks: '0',
};

/** In SQL, how many documents an index should have; the deals of loads are counted in loads, which rules may leave out. */
const EXPECTED: Readonly<Record<ServedIndex, string>> = {
  listings: 'from listings where served',
  history: 'from listing_months',
  deals: 'from listing_deals where not gone',
  projects: 'from off_plan_projects where document is not null',
  developers: 'from off_plan_developers where document is not null',
  transactions: `from official_loads where kind = 'transactions' and state = 'current'`,
  webhooks: 'from webhook_endpoints where indexed_in is not null',
};

/** Every record with the state of its tables, in one statement. */
export async function readRegistry(db: Queryable): Promise<Map<ServedIndex, RegisteredIndex>> {
  interface Row {
    name: ServedIndex;
    version: number;
    changing: boolean;
    recorded: boolean;
    mark: string | null;
    documents: number | null;
    data_version: number | null;
    next_mark: string | null;
    next_documents: number | null;
  }
  const versions = SERVED_INDEXES.map((name) => `('${name}', ${VERSION[name]}, '${VERSION[name]}')`);
  const { rows } = await db.query<Row>({
    name: 'index-registry',
    text: `
      select n.name, n.version, case n.kind when 'run' then run_changing when 'load' then load_changing else false end as changing,
             d.name is not null as recorded, d.mark, d.documents, d.data_version, d.next_mark, d.next_documents
        from (select coalesce(max(id) filter (where status = 'completed'), 0) as run,
                     coalesce(bool_or(status <> 'completed'), false) as run_changing from ingest_runs) runs,
             (select coalesce(max(id), 0) as load,
                     coalesce(bool_or(state in ('staged', 'retired')), false) as load_changing from official_loads) loads,
             lateral (values ${versions.join(', ')}) as n (name, version, kind)
        left join derived_indexes d using (name)`,
  });
  return new Map(
    rows.map((row) => [
      row.name,
      {
        source: { version: row.version, changing: row.changing },
        record: row.recorded
          ? {
              mark: row.mark,
              documents: row.documents,
              dataVersion: row.data_version,
              nextMark: row.next_mark,
              nextDocuments: row.next_documents,
            }
          : null,
      },
    ]),
  );
}

/** The reads from Postgres that an index guard needs. */
export const registrySources = (db: Queryable) => ({
  registry: () => readRegistry(db),
  expected: (name: ServedIndex) => countExpected(db, name),
});

/** How many documents an index should have by the tables; at least, for deals, of which only loads are counted. */
export async function countExpected(db: Queryable, name: ServedIndex): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*) as count ${EXPECTED[name]}`);
  return rows[0]?.count ?? 0;
}

/** Records the index that a swap is about to activate. Until it is settled, the previous index is valid too. */
export async function recordIntent(
  db: Queryable,
  name: ServedIndex,
  next: { mark: string; documents: number },
): Promise<void> {
  await db.query(
    `with begun as (insert into index_marks (mark, name) values ($2, $1) on conflict do nothing)
     insert into derived_indexes (name, next_mark, next_documents) values ($1, $2, $3)
     on conflict (name) do update set next_mark = excluded.next_mark, next_documents = excluded.next_documents`,
    [name, next.mark, next.documents],
  );
}

/**
 * The index that serves from now on. `holds` is the run or load up to which it contains its tables; null if the next run
 * rewrites it.
 */
export interface Settled {
  mark: string;
  documents: number | null;
  holds: number | null;
  /** A digest of all other inputs of its documents. */
  madeWith?: string;
}

export async function settleIndex(db: Queryable, name: ServedIndex, settled: Settled): Promise<void> {
  const { mark, documents, holds, madeWith = null } = settled;
  await db.query(
    `with begun as (insert into index_marks (mark, name) values ($2, $1) on conflict do nothing)
     insert into derived_indexes (name, mark, documents, data_version, made_with, settled_at) values ($1, $2, $3, $4, $5, now())
     on conflict (name) do update set index_uuid = null, mark = excluded.mark, documents = excluded.documents,
       data_version = excluded.data_version, made_with = excluded.made_with, next_mark = null, next_documents = null,
       settled_at = now()`,
    [name, mark, documents, holds, madeWith],
  );
}

/** Records that the tables of an index have changed and the index has not: the next run writes all of it. */
export async function markStale(db: Queryable, name: ServedIndex): Promise<void> {
  await db.query('update derived_indexes set index_uuid = null, data_version = null where name = $1', [name]);
}

/** Identifies an index: its mark, or the uuid recorded by a release without marks. */
export interface FilledIndex {
  mark: string | null;
  uuid: string | null;
  madeWith: string | null;
}

/** Which of the marks this database has begun. */
export async function knownMarks(db: Queryable, marks: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ mark: string }>('select mark from index_marks where mark = any ($1)', [marks]);
  return new Set(rows.map(({ mark }) => mark));
}

/** The index that holds its tables up to the last run that wrote to it; null when none does, as after a restore. */
export async function readFilled(db: Queryable, name: ServedIndex): Promise<FilledIndex | null> {
  const { rows } = await db.query<FilledIndex>(
    `select mark, index_uuid as uuid, made_with as "madeWith" from derived_indexes
      where name = $1 and (data_version is not null or index_uuid is not null)
        and not exists (select from restores where rebuilt_at is null)`,
    [name],
  );
  return rows[0] ?? null;
}
