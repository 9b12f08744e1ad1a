import type pg from 'pg';
import * as sql from '#stores/postgres/rows.ts';

type Table = 'listings' | 'listing_months' | 'listing_deals' | 'off_plan_projects' | 'off_plan_developers';

/** The last run whose rows an index may show; undefined for all rows. */
export type PublishedRun = number | undefined;

/**
 * Returns SQL for a table as of a run. A trigger keeps the rows that later runs change until these are completed.
 * @param after SQL for the id above which rows are read; applies to the earlier rows
 */
export const asOf = (published: PublishedRun, table: Table, after = '0'): string =>
  published === undefined
    ? table
    : `(select * from ${table} where changed_run <= ${published}
        union all ${earlierRows(published, table, `k.id > ${after}`)})`;

/**
 * Returns SQL for the rows that runs after `published` have changed, as they were before.
 * @param end conditions on `earlier_rows k`, an order and a limit
 */
export const earlierRows = (published: number, table: Table, end: string): string =>
  `select e.* from (select earlier from earlier_rows k where relation = '${table}' and ${isEarlier(published)} and ${end}) k,
          json_populate_record(null::${table}, k.earlier) e`;

export const recordsAsOf = (published: PublishedRun): string =>
  published === undefined
    ? 'listing_records'
    : `(select r.id, coalesce(k.record, r.record) as record from listing_records r
         left join earlier_rows k on k.relation = 'listings' and k.id = r.id and ${isEarlier(published)})`;

const isEarlier = (published: number): string => `k.changed_run <= ${published} and k.replaced_run > ${published}`;

/** Returns the last run of which the index of a stage may show rows. */
export async function publishedRun(pool: pg.Pool, stage: string): Promise<PublishedRun> {
  const unfinished = await sql.queryRow(
    pool,
    { id: sql.integer },
    `select id from ingest_runs r where status <> 'completed' and not exists (
       select from ingest_run_stages where run_id = r.id and stage = $1 and finished_at is not null)`,
    [stage],
  );
  return unfinished ? unfinished.id - 1 : undefined;
}
