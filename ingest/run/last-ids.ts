import * as sql from '#postgres/rows.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { LastIds } from '#search/indexes.ts';

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
