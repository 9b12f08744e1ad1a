import type { Knex } from 'knex';

/** Events that could not be matched with webhook endpoints, and the reason. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table listing_events add column skipped_at timestamptz, add column skipped_reason text;
    create index listing_events_skipped on listing_events (skipped_at) where skipped_at is not null;
  `);
}
