import type { Knex } from 'knex';

/**
 * One row for each index replaces the marks: names of indexes are unique, because they contain the time of their
 * creation. Runs have random ids, by which an index shows that Postgres was restored. Ids of events are random.
 */
export const contract = true;

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    drop table derived_indexes;
    drop table index_marks;

    create table served_indexes (
      name text primary key,
      -- the index behind the alias; null before the first fill ends
      serving text,
      documents bigint not null default 0,
      -- the last run or load that it contains; null if the next run must fill a new index
      run bigint,
      -- digest of all inputs of the documents other than the tables
      made_with text,
      -- the index to which the alias moves: both are valid until the move is settled
      intended text,
      intended_documents bigint not null default 0,
      -- the index before the last fill, for a rollback, and the last run that it contains
      previous text,
      previous_run bigint,
      settled_at timestamptz
    );
    comment on table served_indexes is 'The index behind each alias, and the one to which an alias is about to move.';

    alter table ingest_runs
      drop column epoch,
      -- written to the index before ids of the run are visible; an index with another id is of a later state
      add column uid text unique default encode(uuid_send(gen_random_uuid()), 'hex');
    alter table restores
      drop column epoch,
      -- ids of runs that an index contained and the restored database lacked
      add column lost_runs text[] not null default '{}';
    update webhook_endpoints set indexed_in = null;
  `);
}
