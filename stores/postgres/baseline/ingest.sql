-- Ingest runs, the recorded state of every ad, and everything that ingest derives from it.
--
-- Only one run is active at a time. It is completed, if necessary after a crash, before the next one begins. Rows contain
-- the number of the run that wrote them, which reduces writes: the `changed_run` of an ad shows that the run must write
-- the ad to the index, and an event is released when its run is completed. Neither requires an update of each row.

create table ingest_runs (
  id integer primary key,
  -- The time as of which the feeds are read. All times that the run writes are this one.
  at timestamptz not null,
  -- An interrupted run stays 'running' or 'failed' until the next start completes it.
  status text not null check (status in ('running', 'failed', 'completed')),
  sources text[] not null,
  trigger text not null,
  options jsonb not null default '{}',
  started_at timestamptz not null default now(),
  -- When its events were released. The index contains all its changes by then.
  completed_at timestamptz,
  resumed integer not null default 0,
  error text,
  -- Written to the index before ids of the run are visible. An index with another id is of a later state.
  uid text unique default encode(uuid_send(gen_random_uuid()), 'hex')
);
comment on table ingest_runs is 'Ingest runs in order.';

create table ingest_run_stages (
  run_id integer not null references ingest_runs,
  stage text not null,
  source text not null default '',
  -- Number of rows that the stage kept, and of those that it dropped, by reason.
  kept bigint not null default 0,
  dropped jsonb not null default '{}',
  details jsonb not null default '{}',
  -- The last listing id that the stage has completed.
  checkpoint bigint not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (run_id, stage, source)
);
comment on table ingest_run_stages is 'Progress and report of each stage of a run, from which a killed run is resumed.';

create table ingest_rejects (
  source text not null,
  -- Digest of reason and row.
  digest text not null,
  -- The last run that had the reject, and its position among the rejects of that run.
  run_id integer not null references ingest_runs,
  position integer not null,
  reason text not null,
  detail text not null,
  row text not null,
  -- Number of rows in all runs.
  count bigint not null,
  first_at timestamptz not null,
  at timestamptz not null,
  primary key (source, digest)
);
create index ingest_rejects_at on ingest_rejects (at);
comment on table ingest_rejects is 'Rejected rows of feeds, one for all times that a source has the same reject. Limited per run and source.';

create table ingest_retries (
  single boolean primary key default true check (single),
  since timestamptz not null,
  failures integer not null,
  next_at timestamptz not null,
  reason text not null
);
comment on table ingest_retries is
  'The next attempt of a run that failed because a datastore was unavailable. At most one row, until a run completes.';

create table source_states (
  -- A source, or with the suffix '/projects' its feed of off-plan projects.
  source text primary key,
  last_complete_run integer references ingest_runs,
  -- When its feed was last read completely, which confirmed its live ads.
  last_seen_at timestamptz,
  live_count bigint not null default 0,
  -- The run whose feed was held, because it lacked more than half of the ads.
  held_run integer references ingest_runs,
  held_reason text,
  -- Whether an operator accepted the next feed even if it lacks ads.
  released boolean not null default false,
  error text,
  -- Why its feed is too old to confirm its ads.
  stale_reason text,
  -- Whether the last complete feed ended with a line break. Null if it has no lines.
  line_break boolean
);
comment on table source_states is 'The state of each feed.';

-- Numbers from feeds are double precision, so that no value of a source makes a batch fail.
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
  -- Identity compares texts and advertisers by these (ingest/identity/signature.ts).
  signature text not null,
  advertiser text,
  -- Keys in the CDN bucket, separated by spaces, and the hash of the addresses of the photos.
  photos text not null default '',
  photo_list text not null default '',
  -- 1: photos must be fetched.
  photos_pending smallint not null default 0,
  needs_photos boolean not null,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  -- If false, updated_at is the time of the last crawl, updated once a day.
  updated_by_source boolean not null,
  withdrawn_at timestamptz,
  previous_price double precision,
  price_changed_at timestamptz,
  duplicate_of bigint,
  also_listed_on text not null default '',
  plausible_typed boolean not null default true,
  plausible_pooled boolean not null default true,
  -- Version of its document. Increases by one in each run that changes the served state.
  version integer not null default 1,
  changed_run integer not null,
  -- The run in which the ad itself last changed, as opposed to its flags and times.
  content_run integer not null,
  -- Whether it was served before 'changed_run'.
  was_served boolean not null default false,
  served boolean not null generated always as
    (withdrawn_at is null and duplicate_of is null and (photos <> '' or not needs_photos)) stored,
  -- The advertiser's own amount, or null if none is posted.
  posted_amount double precision,
  -- Whether that amount is per square meter. 'price' is of the whole area.
  per_sqm boolean not null default false,
  -- How the ad names its off-plan project, and the project that was found, as in off_plan_projects.unit_project.
  project_ref text,
  project_name text,
  project_developer text,
  project_id integer,
  project text,
  -- 'stale': the feed was outdated for too long; 'refused': the index does not accept the content; null: the feed no
  -- longer contains the ad.
  withdrawn_reason text check (withdrawn_reason in ('stale', 'refused')),
  -- Whether the source names the neighborhood. Otherwise it follows from the point.
  neighborhood_stated boolean not null default false,
  -- Unit number in the text. Null if the text contains none or several.
  unit text,
  -- The run in which it was last added, or listed again after it was withdrawn. Null for rows of earlier releases.
  listed_run integer,
  -- Quality flags that come from the text (`QUALITY_FLAGS`).
  text_flags text[] not null default '{}',
  relisted boolean not null default false,
  shared_photos boolean not null default false,
  -- More than 45% below the median of its band.
  far_below boolean not null default false,
  -- Unpublished facts of the text that identity compares: areas of the home and of its plot, width of the street.
  text_area double precision,
  plot_area double precision,
  street_width double precision,
  -- The last run that requested the addresses of its photos again, or copied its first; 0: none; -1: the content has
  -- changed since.
  photos_checked_run integer not null default 0,
  -- Amenities and the side that a home faces, as bits, for identity.
  features integer,
  -- Whether the text makes the posted price implausible.
  text_implausible boolean not null default false,
  -- Whether the ad has ever had a price, and whether it had one before 'changed_run'.
  priced boolean not null default true,
  was_priced boolean not null default true,
  -- The last run that read the same row of the source differently.
  reread_run integer,
  unique (source, source_listing_id)
) with (fillfactor = 80);
create index listings_of_projects on listings (id)
  where project_ref is not null or project_name is not null or project_id is not null;
create index listings_photos_changed on listings (source, id)
  where photos_checked_run = -1 and withdrawn_at is null and photos <> '';
create index listings_photos_checked on listings (source, photos_checked_run, id) where served and photos <> '';
comment on table listings is
  'The state of every ad, one row for each (source, source_listing_id), never deleted, so that ids do not change. Narrow, because flags change without the ad; the ad is in listing_records.';

create table advertiser_refs (
  -- The same key as in listings.advertiser.
  advertiser text primary key,
  ref text not null unique default 'adv_' || left(replace(gen_random_uuid()::text, '-', ''), 20)
);
comment on table advertiser_refs is
  'The public id of each company that advertises. Random, because the keys of feeds are telephone and registration numbers, which a hash does not hide.';

-- Not compressed and stored in the row, because compressing two kilobytes twice a day wastes time. Statistics would never
-- be used, and vacuuming after inserts would read gigabytes in a first run; updated rows are vacuumed as usual.
create table listing_records (
  id bigint primary key,
  url text,
  record text not null
) with (toast_tuple_target = 8160, fillfactor = 100, autovacuum_vacuum_insert_threshold = -1);
alter table listing_records
  alter column record set storage external,
  alter column record set statistics 0,
  alter column url set statistics 0;
comment on table listing_records is 'The normalized ad, JSON. Only found by id.';

create table listing_prices (
  listing_id bigint not null,
  at timestamptz not null,
  price_yearly_sar double precision,
  -- The advertiser's own amount, from which a corrected reading recomputes earlier prices. Null if it was not stored.
  posted_amount double precision,
  primary key (listing_id, at)
);
comment on table listing_prices is
  'Every price of an ad, including the first; null from when it has none. No foreign key, because the ad is written in the same transaction.';

create table identity_sets (
  city text not null,
  listing_type text not null,
  -- A kind of property can include several types that sources confuse with each other.
  kind text not null,
  primary key (city, listing_type, kind)
);
comment on table identity_sets is 'Sets of ads that the identity stage of the active run compares.';

create table photos (
  -- Hash of the address.
  url_hash text primary key,
  status text not null check (status in ('stored', 'failed')),
  -- Key in the CDN bucket. The same bytes from two addresses are one object.
  key text,
  attempts smallint not null default 1,
  last_run integer not null,
  error text,
  -- Whether the photo is below the minimum size. Listings show small photos only if they have no larger one.
  small boolean not null default false,
  -- Validators of the last response with bytes.
  etag text,
  last_modified text
);
comment on table photos is 'Photos by their address.';

create table photo_images (
  -- Starts with the SHA-256 of the bytes.
  key text primary key,
  -- Perceptual hash of 64 bits. Null for an image that is nearly uniform, which identifies no property.
  phash bigint,
  -- The first stored image within the distance, or itself.
  same_as text not null
);
create index photo_images_evidence on photo_images (key) include (same_as, phash) where phash is null or same_as <> key;
comment on table photo_images is
  'Images in the CDN bucket. Images that show the same photo, re-encoded or resized, reference the first of them.';

create table photo_bands (
  band integer not null,
  -- The 16 bits of the phash that belong to the band.
  phash bigint not null,
  key text not null
);
create index photo_bands_band on photo_bands (band) include (phash);
comment on table photo_bands is 'The four bands of 16 bits of the hashes of first images.';

create table photo_checks (
  owner text not null check (owner in ('listings', 'off_plan_records')),
  owner_id bigint not null,
  primary key (owner, owner_id)
);
comment on table photo_checks is
  'Listings and projects whose photos the active run requests again. A killed run continues with those that are left.';

create table replaced_photos (key text primary key);
comment on table replaced_photos is
  'Keys whose address has other bytes since the check of one owner, until all owners that show them are updated.';

create table lost_photos (
  owner text not null check (owner in ('listings', 'off_plan_records')),
  owner_id bigint not null,
  key text not null,
  found_at timestamptz not null default now(),
  tried_at timestamptz,
  -- Why the photo could not be fetched again.
  error text,
  primary key (owner, owner_id, key)
);
comment on table lost_photos is 'Keys that a listing or project shows and that the bucket does not have, until they are stored again.';

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
  -- When and why the event could not be matched with webhook endpoints.
  skipped_at timestamptz,
  skipped_reason text,
  primary key (run_id, listing_id)
);
create index listing_events_skipped on listing_events (skipped_at) where skipped_at is not null;
comment on table listing_events is 'Changes of served listings, at most one per listing and run.';

create view released_listing_events as
  select e.run_id, e.listing_id, e.id, e.type, e.version, e.at, e.city, e.listing_type, e.property_type, e.neighborhood_id,
         e.price_yearly_sar, e.previous_price_yearly_sar, r.completed_at as released_at
    from listing_events e join ingest_runs r on r.id = e.run_id
   where r.status = 'completed';
comment on view released_listing_events is 'Events of completed runs. Readers other than the run use this view.';

create table listing_publications (
  listing_id bigint primary key,
  -- Epoch microseconds.
  modified bigint not null,
  -- Digest of the served state. Null for a listing that is no longer served.
  content bigint,
  -- Searches that return the listing: bit 0 those for one property type, bit 1 all others.
  shown smallint not null
);
comment on table listing_publications is
  'The last published state of listings. A listing without a row has its first value, which follows from its id and first_seen_at.';

create table modification_clock (
  single boolean primary key default true check (single),
  -- The last value that may have been assigned.
  high bigint not null,
  -- All values up to this one are published. Null until the first are.
  watermark bigint,
  -- The last run whose documents are published.
  run integer not null default 0
);
insert into modification_clock (high) values (0);
comment on table modification_clock is 'The single row from which `modified_at` is assigned, in epoch microseconds.';

create table quality_fences (
  kind text not null check (kind in ('typed', 'pooled', 'per_sqm')),
  tier text not null,
  -- Name within the tier: kind, then the parts that apply of city, listing type, category or property type, bedrooms or neighborhood.
  fence text not null,
  run_id integer not null,
  sample_size integer not null,
  median_price double precision not null,
  mad_log_price double precision,
  low double precision,
  high double precision,
  primary key (kind, tier, fence)
);
comment on table quality_fences is 'The current plausibility fences, computed by the last run that changed anything.';

create table history_fences (
  kind text not null,
  tier text not null,
  fence text not null,
  low double precision not null,
  high double precision,
  -- Identifies the rules that used the fences. Other rules check the whole history again.
  rules text not null,
  primary key (kind, tier, fence)
);
comment on table history_fences is
  'The fences by which the history was last checked, so that a run only checks the part that changed fences affect.';

create table listing_months (
  listing_id bigint not null,
  -- year * 12 + month - 1
  first_month smallint not null,
  -- 32767 while the listing is live, so that it causes no write when a month begins.
  last_month smallint not null,
  -- In those months, because prices of rents and sales are not comparable.
  listing_type text not null,
  price double precision,
  -- Only in the first row of a listing: the month in which it was first seen, and its first price.
  new_month smallint,
  new_price double precision,
  -- Bits 1 and 2: 'price' is plausible for the type and pooled. Bits 4 and 8: 'new_price' is.
  plausible smallint not null default 0,
  changed_run integer not null,
  primary key (listing_id, first_month)
) with (fillfactor = 80);
comment on table listing_months is
  'Intervals of months in which a listing was live at one price, as of the end of each month. First months are only added, so no row is deleted.';

create table listing_deals (
  listing_id bigint primary key,
  -- Version of the listing in the deals index.
  version integer not null,
  -- As served, JSON.
  comparison text not null,
  -- Whether the listing must be deleted from the index.
  gone boolean not null default false,
  changed_run integer not null
) with (fillfactor = 80);
comment on table listing_deals is 'Listings priced noticeably below their comparison.';

create table estimate_ledger (
  listing_id bigint primary key,
  -- UTC day on which the listing was first found. Ads of this day and later ones are no evidence.
  day date not null,
  city text not null,
  listing_type text not null,
  property_type text not null,
  version text not null,
  price double precision not null,
  estimate double precision not null,
  -- The upper end of an interval divided by the estimate, which is the estimate divided by the lower end.
  reach_80 double precision not null,
  reach_50 double precision not null
);
create index estimate_ledger_cohorts on estimate_ledger (city, listing_type, day);
comment on table estimate_ledger is 'Estimates of new listings, beside their first prices.';
