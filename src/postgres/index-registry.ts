import { type IndexRecord, type IndexSource, SERVED_INDEXES, type ServedIndex } from '#domain/index-state.ts';
import * as sql from './rows.ts';
import type { Queryable } from './transaction.ts';

export interface RegisteredIndex {
  record: IndexRecord | null;
  source: IndexSource;
}

/** SQL for the version of the tables of an index: the last completed run or last load; 0 for none. */
const VERSION_SQL: Readonly<Record<ServedIndex, string>> = {
  listings: 'run',
  history: 'run',
  deals: 'run',
  projects: 'run',
  developers: 'run',
  transactions: 'load',
  // Webhook endpoints change at any time. Their number is checked whenever events are matched.
  webhooks: '0',
};

/** SQL that selects a row for each expected document, or each load for `transactions`, whose deals rules exclude. */
const EXPECTED_ROWS_SQL: Readonly<Record<ServedIndex, string>> = {
  listings: 'from listings where served',
  history: 'from listing_months',
  deals: 'from listing_deals where not gone',
  projects: 'from off_plan_projects where document is not null',
  developers: 'from off_plan_developers where document is not null',
  transactions: `from official_loads where kind = 'transactions' and state = 'current'`,
  webhooks: 'from webhook_endpoints where indexed_in is not null',
};

const REGISTRY_ROW = {
  name: sql.oneOf(SERVED_INDEXES),
  version: sql.integer,
  changing: sql.boolean,
  recorded: sql.boolean,
  mark: sql.nullable(sql.text),
  documents: sql.nullable(sql.integer),
  data_version: sql.nullable(sql.integer),
  next_mark: sql.nullable(sql.text),
  next_documents: sql.nullable(sql.integer),
};

/** Reads all index records and table versions in one statement. */
export async function readRegistry(db: Queryable): Promise<Map<ServedIndex, RegisteredIndex>> {
  const versions = SERVED_INDEXES.map((name) => `('${name}', ${VERSION_SQL[name]}, '${VERSION_SQL[name]}')`);
  const rows = await sql.queryRows(db, REGISTRY_ROW, {
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

/** Returns the Postgres queries that an index guard needs. */
export const registrySources = (db: Queryable) => ({
  registry: () => readRegistry(db),
  expected: (name: ServedIndex) => countExpected(db, name),
});

/** Returns the expected number of documents of an index, for `transactions` a lower bound: the number of loads. */
export const countExpected = (db: Queryable, name: ServedIndex): Promise<number> =>
  sql.countRows(db, EXPECTED_ROWS_SQL[name]);

/** Records the index of an imminent alias swap. Until `settleIndex`, the previous index is valid too. */
export async function recordNextIndex(
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

/** The new serving index. `holds` is its last run or load, or null if the next run must rewrite the index. */
export interface Settled {
  mark: string;
  documents: number | null;
  holds: number | null;
  /** Digest of all inputs of the documents other than the tables. */
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

/** Records that an index does not reflect its tables. The next run rewrites the whole index. */
export async function markStale(db: Queryable, name: ServedIndex): Promise<void> {
  await db.query('update derived_indexes set index_uuid = null, data_version = null where name = $1', [name]);
}

/** Identifies an index by its mark, or by its uuid if an earlier release without marks recorded it. */
export type FilledIndex = sql.RowOf<typeof FILLED_INDEX>;
const FILLED_INDEX = { mark: sql.nullable(sql.text), uuid: sql.nullable(sql.text), madeWith: sql.nullable(sql.text) };

/** Returns the subset of `marks` that this database has recorded. */
export async function knownMarks(db: Queryable, marks: readonly string[]): Promise<Set<string>> {
  const rows = await sql.queryRows(db, { mark: sql.text }, 'select mark from index_marks where mark = any ($1)', [
    marks,
  ]);
  return new Set(rows.map(({ mark }) => mark));
}

/** Returns the index that reflects its tables up to the last run that wrote to it, or null if none does. */
export function readFilled(db: Queryable, name: ServedIndex): Promise<FilledIndex | null> {
  return sql.queryRow(
    db,
    FILLED_INDEX,
    `select mark, index_uuid as uuid, made_with as "madeWith" from derived_indexes
      where name = $1 and (data_version is not null or index_uuid is not null)
        and not exists (select from restores where rebuilt_at is null)`,
    [name],
  );
}
