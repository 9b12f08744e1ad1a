import type { Knex } from 'knex';

/** Identity compares kinds of property, of which some have several types that sources take for each other. */
export async function up(db: Knex): Promise<void> {
  // Rows are of a run that is going on: one that is resumed chooses its sets anew.
  await db.raw(`
    delete from identity_sets;
    alter table identity_sets rename column property_type to kind;
    update ingest_run_stages set details = '{}' where stage = 'identity' and finished_at is null;
  `);
}
