import type { Knex } from 'knex';

/**
 * The matching of ads compares kinds of property. A kind can include several types that sources confuse with each
 * other.
 */
export async function up(db: Knex): Promise<void> {
  // The rows belong to an active run. If that run is resumed, it selects its sets again.
  await db.raw(`
    delete from identity_sets;
    alter table identity_sets rename column property_type to kind;
    update ingest_run_stages set details = '{}' where stage = 'identity' and finished_at is null;
  `);
}
