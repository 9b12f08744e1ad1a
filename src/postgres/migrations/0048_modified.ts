import type { Knex } from 'knex';

/**
 * Time at which the published data of each listing last changed, and the watermark up to which changes are published.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Listings as they were published last. A listing without a row has its first value, which is made of its id and first_seen_at.
    create table listing_publications (
      listing_id bigint primary key,
      -- epoch microseconds
      modified bigint not null,
      -- digest of what is served; null for a listing that is not served any more
      content bigint,
      -- which searches show it: bit 0 those for one property type, bit 1 all others
      shown smallint not null
    );

    create table modification_clock (
      single boolean primary key default true check (single),
      -- the last value that may have been assigned
      high bigint not null,
      -- all values up to here are published; null until the first are
      watermark bigint,
      -- the last run whose documents are published
      run integer not null default 0
    );
    insert into modification_clock (high) values (0);
  `);
}
