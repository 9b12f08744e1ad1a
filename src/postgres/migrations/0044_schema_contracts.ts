import type { Knex } from 'knex';

/**
 * The contract steps applied to this database: migrations after which earlier releases cannot use it. A release starts
 * on a newer database only if it contains the newest contract step.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table schema_contracts (
      version integer primary key,
      migration text not null,
      applied_at timestamptz not null default now()
    );
    comment on column schema_contracts.version is
      'the oldest schema version that a release must have to use this database, which is that of the migration';
  `);
}
