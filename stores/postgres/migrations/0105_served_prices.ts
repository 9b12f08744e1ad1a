import type { Knex } from 'knex';

/** Prices and visibility are recorded as search returned them. The next run checks the prices of earlier releases. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table listings
      add column was_shown smallint not null default 0,
      add column delisted boolean not null default false,
      add column was_delisted boolean not null default false,
      add column posted_before double precision;
    comment on column listings.was_shown is
      'Searches that returned it before changed_run: 1 those for one property type, 2 all others.';
    comment on column listings.delisted is 'Whether search has not returned it since its last listing.delisted event.';
    comment on column listings.posted_before is 'The price of the ad before its last change, also if never served.';
    update listings set delisted = true where not (served and priced);

    alter table listing_prices
      add column run_id integer,
      add column listing_type text,
      add column comparable boolean not null default true;
    comment on table listing_prices is
      'The prices with which search has returned a listing, each from the run in which it first did. Consecutive prices differ.';
    comment on column listing_prices.run_id is 'Null for rows of earlier releases, until a run has judged them.';
    comment on column listing_prices.comparable is
      'False after a change of the listing type, and for a corrected price whose predecessor could not be corrected.';
    create index listing_prices_unjudged on listing_prices (listing_id) where run_id is null;

    alter table listing_events
      add column shown smallint,
      add column reason text,
      drop constraint listing_events_type_check,
      add constraint listing_events_type_check check (type in
        ('listing.created', 'listing.price_changed', 'listing.delisted', 'listing.hidden', 'listing.relisted'));
    comment on column listing_events.shown is
      'Searches that return the listing, or that last returned it: 1 those for one property type, 2 all others.';
    comment on column listing_events.reason is
      'Why search no longer returns the listing (no_price, implausible, without_photos), or relisted for a price with which it returned.'`);
}
