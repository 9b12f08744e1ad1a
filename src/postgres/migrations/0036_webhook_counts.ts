import type { Knex } from 'knex';

/**
 * Changes which deliveries count toward disabling an endpoint: those that are retained and have failed since it was
 * enabled. Also records for each endpoint up to when events were deleted before they were matched.
 */
export async function up(db: Knex): Promise<void> {
  // `exhausted` remains for processes of the previous release, which may run during an upgrade.
  await db.raw(`
    alter table webhook_endpoints
      add column enabled_at timestamptz not null default now(),
      -- events up to this moment were deleted before it was matched with all of them
      add column missed_until timestamptz;
    create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, finished_at) where status = 'failed';
  `);
}
