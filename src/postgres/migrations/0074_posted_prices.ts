import type { Knex } from 'knex';

/** The posted price is the price: what distinguishes its changes from corrections, and when it is implausible. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table listings
      -- Whether the ad's text makes the posted price implausible.
      add column text_implausible boolean not null default false,
      -- Whether the ad has ever had a price, and whether it had one before 'changed_run'. Earlier releases announced
      -- listings without a price, so existing listings need no event for their first price.
      add column priced boolean not null default true,
      add column was_priced boolean not null default true,
      -- The last run that read the same row of the source differently.
      add column reread_run integer;
    -- The advertiser's own amount, from which a corrected reading recomputes earlier prices; null if it was not stored.
    alter table listing_prices add column posted_amount double precision;
  `);
}
