import type { Knex } from 'knex';

/**
 * Restores of this database to an earlier state. Each restore raises subsequent ids above all ids that were visible in
 * between, and gives subsequent events a new epoch. Every run begins with a random mark (`index_marks`), which is also
 * written to the index: an index whose mark is unknown here contains changes from a later state of this database.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- part of the ids of the run's events; null where the database was never restored
    alter table ingest_runs add column epoch text;

    create table restores (
      id integer generated always as identity primary key,
      epoch text not null unique,
      at timestamptz not null default now(),
      reason text not null check (reason in ('detected', 'stated')),
      -- the last run that the restored database has
      after_run integer not null,
      -- ids up to these are not assigned again
      last_listing bigint not null,
      last_project integer not null,
      last_developer integer not null,
      last_run integer not null,
      -- when all indexes had been rebuilt; null until then
      rebuilt_at timestamptz
    );
  `);
}
