import type { Knex } from 'knex';

/** Events that could not be matched with webhook endpoints, and the reason. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table listing_events add column set_aside_at timestamptz, add column set_aside_reason text;
    create index listing_events_set_aside on listing_events (set_aside_at) where set_aside_at is not null;
  `);
}
