import type { Knex } from 'knex';

/** Events have positions in the order of publication, and gone listings their reason. Events of earlier releases have none. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table modification_clock
      add column stream text not null default encode(uuid_send(gen_random_uuid()), 'hex'),
      add column since bigint not null default 0;
    update modification_clock set since = high;
    comment on column modification_clock.stream is
      'Id of the sequence of positions. A restore of the database begins another one.';
    comment on column modification_clock.since is
      'Events after this position are complete. At or before it, there are only the last changes of served listings.';

    alter table listings
      add column was_city text,
      add column was_listing_type text,
      add column left_at timestamptz,
      add column left_reason text,
      drop constraint listings_withdrawn_reason_check,
      add constraint listings_withdrawn_reason_check
        check (withdrawn_reason in ('stale', 'refused', 'sold', 'rented', 'withdrawn', 'takedown'));
    comment on column listings.was_city is 'City before changed_run. Null for a new ad, and for rows of earlier releases.';
    comment on column listings.left_at is
      'When search stopped returning the listing, by its last event. Null while search returns it.';
    comment on column listings.left_reason is 'The reason of that event.';

    -- A default that exists only now writes no rows.
    alter table listing_events
      add column position bigint default -1,
      add column merged_into bigint,
      add column left_city text,
      add column left_listing_type text,
      drop constraint listing_events_type_check,
      add constraint listing_events_type_check check (type in ('listing.created', 'listing.price_changed',
        'listing.delisted', 'listing.hidden', 'listing.relisted', 'listing.moved'));
    alter table listing_events alter column position drop default;
    update listing_events set position = null where run_id > (select run from modification_clock);
    comment on column listing_events.position is
      'Position in the order of publication, from the modification clock. Null until the run publishes, negative for events of earlier releases.';
    comment on column listing_events.reason is
      'Why search no longer returns the listing, or relisted for a price with which it returned.';
    comment on column listing_events.left_city is 'City of a shown listing before the run, if its city or listing type has changed.';
    create unique index listing_events_position on listing_events (position) where position > 0;
    create index listing_events_unpositioned on listing_events (run_id, listing_id) where position is null;
    create index listing_publications_modified on listing_publications (modified);

    alter table listing_publications add column reindexed boolean not null default false;
    comment on column listing_publications.reindexed is
      'Whether a fill assigned the value, because the documents of a release differ.';

    create table takedowns (
      listing_id bigint primary key,
      at timestamptz not null default now()
    );
    comment on table takedowns is 'Listings that must not be served again, whatever their sources state.'`);
}
