import type { Knex } from 'knex';

/**
 * Records are only ever found by their id, and no query asks what is in them: statistics of two kilobytes of JSON are
 * never looked at, and a first run, which only inserts, need not have gigabytes vacuumed while it goes. Rows that are
 * updated are cleared away as in any table.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table listing_records alter column record set statistics 0, alter column url set statistics 0;
    alter table listing_records set (autovacuum_vacuum_insert_threshold = -1);
  `);
}
