import type { Knex } from 'knex';

/**
 * Data that ingest derives from the listings: the months in which each listing was on the market, and listings priced
 * below similar ones in their neighborhood. Two indexes are built from these tables and can be rebuilt from them.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- One row for each stretch of months that a listing was live in at one price, as that price stood at the end of
    -- each. A month is counted as year * 12 + month - 1. A listing that goes on as it was costs no write, not even when
    -- a month begins: its last row is open. First months only become more, so no row is ever taken back.
    create table listing_months (
      listing_id bigint not null,
      first_month smallint not null,
      -- 32767 while it is live
      last_month smallint not null,
      -- as it was in those months: prices to rent and for sale are not of one kind
      listing_type text not null,
      price double precision,
      -- in a listing's earliest row only: the month it was first seen in, and its first price
      new_month smallint,
      new_price double precision,
      -- by the fences in force: bits 1 and 2, whether 'price' is plausible for the type and pooled; 4 and 8, 'new_price'
      plausible smallint not null default 0,
      changed_run integer not null,
      primary key (listing_id, first_month)
    ) with (fillfactor = 80);

    -- Listings priced noticeably below their comparison. Rows that are 'gone' wait to leave the index.
    create table listing_deals (
      listing_id bigint primary key,
      -- version of the listing that the index has with it
      version integer not null,
      -- JSON as it is served
      comparison text not null,
      gone boolean not null default false,
      changed_run integer not null
    ) with (fillfactor = 80);

    -- The index that holds all of a table, by its uuid: another one behind the alias is filled anew.
    create table derived_indexes (
      name text primary key,
      index_uuid text not null
    );
  `);
}
