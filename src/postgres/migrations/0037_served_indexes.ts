import type { Knex } from 'knex';

/**
 * Records the serving index of every alias, not only of those derived from tables: the mark in the `_meta` of the
 * index, its number of documents, and the table version that it contains. The uuid remains for workers of earlier
 * releases.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table derived_indexes
      alter column index_uuid drop not null,
      -- the mark of the index that serves; null until it is adopted
      add column mark text,
      -- how many documents it has; null where that is not known
      add column documents bigint,
      -- the last run or load that it holds; null when its tables have changed since
      add column data_version bigint,
      -- the index that is about to serve: both are valid until the swap is settled
      add column next_mark text,
      add column next_documents bigint,
      add column settled_at timestamptz;

    -- Every mark that was ever begun: an index with another one is of a later state of this database, which was restored.
    create table index_marks (
      mark text primary key,
      name text not null,
      begun_at timestamptz not null default now()
    );
  `);
}
