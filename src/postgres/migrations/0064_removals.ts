import type { Knex } from 'knex';

/**
 * Keys, members and webhook endpoints that a restored backup contains, but that were revoked, removed or deleted after it.
 * And the pepper of each key, so that keys that must be seen before an old pepper is dropped can be listed.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table held_removals (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('key', 'member', 'webhook')),
      public_id text not null,
      organization_id bigint not null references organizations on delete cascade,
      -- When it was removed, by the journal.
      removed_at timestamptz not null,
      held_at timestamptz not null default now(),
      -- The row of a member, which is deleted while it is held.
      held jsonb,
      decided_at timestamptz,
      decision text check (decision in ('removed', 'reinstated')),
      unique (public_id, removed_at)
    );
    -- Identifies the pepper of the hash. Null for keys of earlier releases.
    alter table api_keys add column pepper text;
  `);
}
