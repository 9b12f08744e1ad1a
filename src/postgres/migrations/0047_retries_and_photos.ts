import type { Knex } from 'knex';

/** The next attempt of an ingest run that an outage ended, and the photos that the CDN bucket has lost. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- At most one row: a run that failed because a store was unavailable, until a run completes.
    create table ingest_retries (
      single boolean primary key default true check (single),
      since timestamptz not null,
      failures integer not null,
      next_at timestamptz not null,
      reason text not null
    );

    -- Keys that a listing or a project shows and that the bucket confirmed as missing, until they are stored again.
    create table lost_photos (
      owner text not null check (owner in ('listings', 'off_plan_records')),
      owner_id bigint not null,
      key text not null,
      found_at timestamptz not null default now(),
      tried_at timestamptz,
      -- why the photo could not be fetched again
      error text,
      primary key (owner, owner_id, key)
    );
  `);
}
