import type { Knex } from 'knex';

/** The member whose role limits an admin key, and the query strings of logged requests. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Null for keys that no role limits. A removed member's keys are revoked.
    alter table api_keys add column member_id bigint references members on delete set null;
    -- Null where the organization turned request details off.
    alter table request_logs add column query text;
  `);
}
