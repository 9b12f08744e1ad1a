import type { Knex } from 'knex';

/**
 * What counts toward disabling an endpoint are deliveries that have failed since it was enabled and are kept; and an endpoint
 * says where events were deleted before it was matched with them.
 */
export async function up(db: Knex): Promise<void> {
  // `exhausted` stays for processes of the release before, which may run beside this one for a while.
  await db.raw(`
    alter table webhook_endpoints
      add column enabled_at timestamptz not null default now(),
      -- events up to this moment were deleted before it was matched with all of them
      add column missed_until timestamptz;
    create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, finished_at) where status = 'failed';
  `);
}
