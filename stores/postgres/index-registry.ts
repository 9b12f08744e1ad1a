import {
  type IndexRecord,
  type IndexSize,
  type IndexSource,
  SERVED_INDEXES,
  type ServedIndex,
} from '#domain/index-state.ts';
import { LOCKS, type Lock } from './locks.ts';
import * as sql from './rows.ts';
import type { Queryable } from './transaction.ts';

export interface RegisteredIndex {
  record: IndexRecord | null;
  source: IndexSource;
}

/** Version of the tables of an index: the last completed run or load; 0 for none. */
const VERSION_SQL: Readonly<Record<ServedIndex, string>> = {
  listings: 'run',
  history: 'run',
  deals: 'run',
  projects: 'run',
  developers: 'run',
  transactions: 'load',
  // Webhook endpoints change at any time, and are counted whenever events are matched.
  webhooks: '0',
};

/** A row for each expected document, or each load for `transactions`, whose deals rules exclude. */
const EXPECTED_ROWS_SQL: Readonly<Record<ServedIndex, string>> = {
  listings: 'from listings where served',
  history: 'from listing_months',
  deals: 'from listing_deals where not gone',
  projects: 'from off_plan_projects where document is not null',
  developers: 'from off_plan_developers where document is not null',
  transactions: `from official_loads where kind = 'transactions' and state = 'current'`,
  webhooks: 'from webhook_endpoints where indexed_in is not null',
};

/** Runs, imports or matching rounds take the lock, and fills. */
export function writerLock(name: ServedIndex): Lock {
  if (name === 'transactions') return LOCKS.official;
  return name === 'webhooks' ? LOCKS.webhooks : LOCKS.ingest;
}

const REGISTRY_ROW = {
  name: sql.oneOf(SERVED_INDEXES),
  version: sql.integer,
  changing: sql.boolean,
  recorded: sql.boolean,
  serving: sql.nullable(sql.text),
  documents: sql.nullable(sql.integer),
  run: sql.nullable(sql.integer),
  intended: sql.nullable(sql.text),
  intended_documents: sql.nullable(sql.integer),
  watermark: sql.nullable(sql.integer),
  stream: sql.nullable(sql.text),
};

export async function readRegistry(db: Queryable): Promise<Map<ServedIndex, RegisteredIndex>> {
  const versions = SERVED_INDEXES.map((name) => `('${name}', ${VERSION_SQL[name]}, '${VERSION_SQL[name]}')`);
  const rows = await sql.queryRows(db, REGISTRY_ROW, {
    name: 'index-registry',
    text: `
      select n.name, n.version, case n.kind when 'run' then run_changing when 'load' then load_changing else false end as changing,
             s.name is not null as recorded, s.serving, s.documents, s.run, s.intended, s.intended_documents,
             clock.watermark, clock.stream
        from (select coalesce(max(id) filter (where status = 'completed'), 0) as run,
                     coalesce(bool_or(status <> 'completed'), false) as run_changing from ingest_runs) runs,
             (select coalesce(max(id), 0) as load,
                     coalesce(bool_or(state in ('staged', 'retired')), false) as load_changing from official_loads) loads,
             lateral (values ${versions.join(', ')}) as n (name, version, kind)
        left join served_indexes s using (name)
        left join modification_clock clock on n.name = 'listings'`,
  });
  return new Map(
    rows.map(
      ({
        name,
        version,
        changing,
        watermark,
        stream,
        recorded,
        serving,
        documents,
        run,
        intended,
        intended_documents,
      }) => [
        name,
        {
          source: { version, changing, watermark, stream },
          record: recorded
            ? { serving, documents: documents ?? 0, run, intended, intendedDocuments: intended_documents ?? 0 }
            : null,
        },
      ],
    ),
  );
}

/** For `transactions` a lower bound: the number of loads. */
export const countExpected = (db: Queryable, name: ServedIndex): Promise<number> =>
  sql.countRows(db, EXPECTED_ROWS_SQL[name]);

/** If one of these is missing, it has been lost. */
export async function indexesWithDocuments(db: Queryable): Promise<Set<ServedIndex>> {
  const registry = await readRegistry(db);
  const names = new Set<ServedIndex>();
  for (const [name, { record }] of registry)
    if ((record?.documents ?? 0) > 0 || (await countExpected(db, name)) > 0) names.add(name);
  return names;
}

/**
 * Until `settleIndex`, the index of the alias is valid too.
 * @param current the index of the alias; an earlier move to it may not be recorded yet
 */
export async function recordIntent(
  db: Queryable,
  name: ServedIndex,
  next: IndexSize,
  current: string | null,
): Promise<void> {
  await db.query(
    `insert into served_indexes as s (name, intended, intended_documents) values ($1, $2, $3)
     on conflict (name) do update set intended = excluded.intended, intended_documents = excluded.intended_documents,
       serving = case when s.intended = $4 then s.intended else s.serving end,
       documents = case when s.intended = $4 then s.intended_documents else s.documents end,
       run = case when s.intended = $4 then null else s.run end`,
    [name, next.index, next.documents, current],
  );
}

/** The new serving index. `run` is its last run or load, or null if the next run must fill a new index. */
export interface ServingIndexRecord extends IndexSize {
  run: number | null;
  /** Digest of all inputs of the documents other than the tables. */
  madeWith?: string;
}

export async function settleIndex(db: Queryable, name: ServedIndex, settled: ServingIndexRecord): Promise<void> {
  const { index, documents, run, madeWith = null } = settled;
  await db.query(
    `insert into served_indexes (name, serving, documents, run, made_with, settled_at) values ($1, $2, $3, $4, $5, now())
     on conflict (name) do update set serving = excluded.serving, documents = excluded.documents, run = excluded.run,
       made_with = excluded.made_with, intended = null, intended_documents = 0, settled_at = now()`,
    [name, index, documents, run, madeWith],
  );
}

const PREVIOUS = { index: sql.text, run: sql.integer };
/** An index to which the alias can return, and the last run that it contains. */
type PreviousIndex = sql.RowOf<typeof PREVIOUS>;

export async function recordPrevious(db: Queryable, name: ServedIndex, previous: PreviousIndex | null): Promise<void> {
  await db.query('update served_indexes set previous = $2, previous_run = $3 where name = $1', [
    name,
    previous?.index ?? null,
    previous?.run ?? null,
  ]);
}

export async function readPrevious(db: Queryable, name: ServedIndex): Promise<PreviousIndex | null> {
  return sql.queryRow(
    db,
    PREVIOUS,
    `select previous as index, previous_run as run from served_indexes
      where name = $1 and previous is not null and previous_run is not null`,
    [name],
  );
}

/** The next run fills a new index. */
export async function markStale(db: Queryable, name: ServedIndex): Promise<void> {
  await db.query('update served_indexes set run = null where name = $1', [name]);
}

export type FilledIndex = sql.RowOf<typeof FILLED_INDEX>;
const FILLED_INDEX = { index: sql.text, run: sql.integer, madeWith: sql.nullable(sql.text) };

/** Returns null if no index reflects its tables up to the last run. */
export function readFilled(db: Queryable, name: ServedIndex): Promise<FilledIndex | null> {
  return sql.queryRow(
    db,
    FILLED_INDEX,
    `select serving as index, run, made_with as "madeWith" from served_indexes
      where name = $1 and serving is not null and run is not null`,
    [name],
  );
}
