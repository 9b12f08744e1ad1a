import type { Knex } from 'knex';

/**
 * Ingest runs, the recorded state of every ad, and the events of listings.
 *
 * Only one run is active at a time. It is completed, if necessary after a crash, before the next one begins. Rows
 * contain the number of the run that wrote them, which reduces writes: the `changed_run` of an ad shows that the run
 * must write the ad to the index, and an event is released when its run is `completed`. Neither requires an update of
 * each row.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ingest_runs (
      id integer primary key,
      -- the time that the run's feeds are read as of; every time it writes is this one
      at timestamptz not null,
      -- interrupted runs stay 'running' or 'failed' until the next start finishes them
      status text not null check (status in ('running', 'failed', 'completed')),
      sources text[] not null,
      trigger text not null,
      options jsonb not null default '{}',
      started_at timestamptz not null default now(),
      -- when its events went out: the index has everything by then
      completed_at timestamptz,
      resumed integer not null default 0,
      error text
    );

    -- What a stage kept and dropped and why. 'checkpoint' is the last listing id that a stage is done with.
    create table ingest_run_stages (
      run_id integer not null references ingest_runs,
      stage text not null,
      source text not null default '',
      kept bigint not null default 0,
      dropped jsonb not null default '{}',
      details jsonb not null default '{}',
      checkpoint bigint not null default 0,
      started_at timestamptz not null default now(),
      finished_at timestamptz,
      primary key (run_id, stage, source)
    );

    -- Rows kept aside. Bounded per run and source; the exact count is in 'dropped' of the stage.
    create table ingest_rejects (
      run_id integer not null references ingest_runs,
      source text not null,
      position bigint not null,
      reason text not null,
      detail text not null,
      row text not null,
      at timestamptz not null,
      primary key (run_id, source, position)
    );

    create table source_states (
      source text primary key,
      last_complete_run integer references ingest_runs,
      -- when it was last read completely: its live ads were confirmed then
      last_seen_at timestamptz,
      live_count bigint not null default 0,
      -- the run that found more than half of the ads gone, and was not believed
      held_run integer references ingest_runs,
      held_reason text,
      -- a person has said that the next shrinking is true
      released boolean not null default false,
      error text
    );

    -- The state of every ad ever seen: one row for each (source, source_listing_id), never deleted, so that an id stays
    -- what it was. Narrow, because flags change without the ad changing; the ad itself is in listing_records.
    -- Numbers out of feeds are double precision: none that a source writes can break a batch.
    create table listings (
      id bigint primary key,
      source text not null,
      source_listing_id text not null,
      content_hash text not null,
      city text not null,
      listing_type text not null,
      property_type text not null,
      listing_category text not null,
      neighborhood_id integer,
      bedrooms double precision,
      bathrooms double precision,
      livings double precision,
      age_years double precision,
      floor text,
      area_sqm double precision,
      price double precision,
      lat double precision,
      lng double precision,
      -- what identity compares texts and advertisers by; see ingest/identity/signature.ts
      signature text not null,
      advertiser text,
      -- keys in the CDN bucket, separated by spaces; the hash of the addresses they came from
      photos text not null default '',
      photo_list text not null default '',
      -- 0: nothing to do, 1: photos to fetch
      photos_pending smallint not null default 0,
      needs_photos boolean not null,
      first_seen_at timestamptz not null,
      updated_at timestamptz not null,
      -- false: updated_at is when the service saw the ad, rewritten once a day
      updated_by_source boolean not null,
      withdrawn_at timestamptz,
      previous_price double precision,
      price_changed_at timestamptz,
      duplicate_of bigint,
      also_listed_on text not null default '',
      plausible_typed boolean not null default true,
      plausible_pooled boolean not null default true,
      -- rises by one in a run that changes anything served; the version of its document
      version integer not null default 1,
      changed_run integer not null,
      -- the run in which the ad itself last changed, as against its flags and times
      content_run integer not null,
      -- whether it was served before 'changed_run'
      was_served boolean not null default false,
      served boolean not null generated always as
        (withdrawn_at is null and duplicate_of is null and (photos <> '' or not needs_photos)) stored,
      unique (source, source_listing_id)
    ) with (fillfactor = 80);

    -- The ad as normalized, JSON. Kept plain and in the row: compressing two kilobytes twice a day is work for nothing.
    create table listing_records (
      id bigint primary key,
      url text,
      record text not null
    ) with (toast_tuple_target = 8160, fillfactor = 100);
    alter table listing_records alter column record set storage external;

    -- Every price an ad has had, the first one included; null where an ad lost its price. No foreign key: one writer,
    -- same transaction as the listing, and half a million checks saved.
    create table listing_prices (
      listing_id bigint not null,
      at timestamptz not null,
      price_yearly_sar double precision,
      primary key (listing_id, at)
    );

    -- Which sets of ads the identity stage of the run going on looks at.
    create table identity_sets (
      city text not null,
      listing_type text not null,
      property_type text not null,
      primary key (city, listing_type, property_type)
    );

    -- Photos by the address they came from.
    create table photos (
      url_hash text primary key,
      status text not null check (status in ('stored', 'failed')),
      -- key in the CDN bucket, from the hash of the bytes: one image under two addresses is one object
      key text,
      attempts smallint not null default 1,
      last_run integer not null,
      error text
    );

    -- What became of listings that could be seen. At most one event a listing and run; out when the run is completed.
    create table listing_events (
      run_id integer not null,
      listing_id bigint not null,
      id text not null,
      type text not null check (type in ('listing.created', 'listing.price_changed', 'listing.delisted')),
      version integer not null,
      at timestamptz not null,
      city text not null,
      listing_type text not null,
      property_type text not null,
      neighborhood_id integer,
      price_yearly_sar double precision,
      previous_price_yearly_sar double precision,
      primary key (run_id, listing_id)
    );

    -- Events as the rest of the service reads them: released ones, in the order they went out.
    create view released_listing_events as
      select e.*, r.completed_at as released_at
        from listing_events e join ingest_runs r on r.id = e.run_id
       where r.status = 'completed';

    -- The plausibility fences in force, made by the last run that changed anything. 'fence' is the tier's own name:
    -- kind, then what it holds of city, listing type, category or property type, bedrooms or neighborhood.
    create table quality_fences (
      kind text not null check (kind in ('typed', 'pooled')),
      tier text not null,
      fence text not null,
      run_id integer not null,
      sample_size integer not null,
      median_price double precision not null,
      mad_log_price double precision,
      low double precision,
      high double precision,
      primary key (kind, tier, fence)
    );
  `);
}
