import type { Knex } from 'knex';

/**
 * Disables statistics and insert-triggered vacuuming for records, which are only found by id. Statistics on columns
 * with two kilobytes of JSON would never be used, and a first run, which only inserts rows, would vacuum gigabytes.
 * Updated rows are vacuumed as usual.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table listing_records alter column record set statistics 0, alter column url set statistics 0;
    alter table listing_records set (autovacuum_vacuum_insert_threshold = -1);
  `);
}
