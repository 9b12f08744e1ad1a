-- Official open data as published, and the property index.

create table official_files (
  id integer generated always as identity primary key,
  -- SHA-256 of its bytes, and of everything that its interpretation depends on.
  digest text not null,
  name text not null,
  kind text,
  layout text,
  status text not null default 'reading' check (status in ('reading', 'imported', 'held', 'repeated', 'refused')),
  rows integer not null default 0,
  taken integer not null default 0,
  rejected integer not null default 0,
  -- Number of rows that were not imported, by reason.
  reasons jsonb not null default '{}',
  detail text,
  imported_at timestamptz not null default now(),
  finished_at timestamptz
);
create index official_files_digest on official_files (digest);
comment on table official_files is 'Imported files and their results.';

create table official_rejects (
  file_id integer not null references official_files on delete cascade,
  line integer not null,
  reason text not null,
  detail text not null,
  primary key (file_id, line)
);
comment on table official_rejects is
  'The first thousand rejected rows of a file, without their cells: a misplaced cell may be the number of a plan, a parcel or a deed.';

create table official_loads (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('transactions', 'registered_rents', 'sales_indicators', 'price_index')),
  scope text not null default '',
  -- year * 4 + quarter - 1
  quarter smallint not null,
  file_id integer not null references official_files,
  -- Digest of the rows in any order: loads with the same rows have the same digest.
  digest text not null,
  rows integer not null,
  last_day date,
  state text not null check (state in ('staged', 'held', 'current', 'retired')),
  detail text,
  created_at timestamptz not null default now(),
  served integer not null default 0,
  -- Whether the file has land-use classes. Otherwise all deals are of the class 'other'.
  names_classes boolean not null default true
);
create unique index official_loads_current on official_loads (kind, scope, quarter) where state = 'current';
create index official_loads_state on official_loads (state) where state <> 'current';
comment on table official_loads is
  'The data of one publication for one quarter. Making another load the current one replaces the quarter.';
comment on column official_loads.scope is
  'the region or the city, for publications that come in one file each; empty: the whole country';
comment on column official_loads.last_day is 'of its last row that has a day and that no rule leaves out';
comment on column official_loads.served is 'its rows that no rule leaves out';

create table transactions (
  load_id integer not null references official_loads,
  -- 52 bits, from which the public id is computed.
  key bigint not null,
  city text,
  neighborhood_id integer,
  ministry_region_ar text,
  ministry_city_ar text,
  ministry_district_ar text,
  land_use_class text not null,
  day date not null,
  quarter smallint not null,
  price_sar double precision not null,
  area_sqm double precision not null,
  property_count integer,
  primary key (load_id, key)
);
comment on table transactions is 'Deals that the Ministry of Justice publishes.';

create table registered_rents (
  load_id integer not null references official_loads,
  quarter smallint not null,
  region_ar text not null,
  town_ar text not null,
  city text,
  neighborhood_id integer,
  neighborhood_ar text,
  property_type text not null,
  property_type_ar text not null,
  contract_count integer not null,
  mean_rent_sar double precision,
  mean_rent_per_sqm_sar double precision,
  check (mean_rent_sar is not null or mean_rent_per_sqm_sar is not null)
);
create index registered_rents_load on registered_rents (load_id);
create index registered_rents_city on registered_rents (city, quarter);
comment on table registered_rents is 'Mean rents of registered contracts. The publisher states those of commercial types per square meter.';

create table sales_indicators (
  load_id integer not null references official_loads,
  quarter smallint not null,
  region_ar text not null,
  town_ar text not null,
  city text,
  neighborhood_id integer,
  neighborhood_ar text,
  property_type text not null,
  land_use_class text,
  deed_count integer not null,
  value_sar double precision not null,
  area_sqm double precision not null,
  mean_price_per_sqm_sar double precision,
  max_price_per_sqm_sar double precision,
  min_price_per_sqm_sar double precision
);
create index sales_indicators_load on sales_indicators (load_id);
create index sales_indicators_city on sales_indicators (city, quarter);
comment on table sales_indicators is 'Indicators of the regulator, from which the property index is computed. Rows are not served.';

create table price_index (
  load_id integer not null references official_loads,
  quarter smallint not null,
  region text not null,
  item text not null,
  item_ar text not null,
  base_year smallint not null,
  index_value double precision not null,
  weight double precision,
  -- Changes are stored as published: ratios, not percentages.
  change_yoy double precision,
  change_qoq double precision,
  primary key (load_id, region, item)
);
create index price_index_region on price_index (region, item, quarter);
comment on table price_index is 'The official real estate price index by region and item.';

create table property_index_releases (
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- Starts at 1 and increases with each correction.
  revision integer not null check (revision > 0),
  -- Reason of the correction.
  note text,
  -- SHA-256 of the content.
  digest text not null,
  -- As served, JSON.
  cities_without_series text not null,
  -- Null for a draft, which is not served.
  published_at timestamptz,
  primary key (month, revision),
  check ((revision = 1) = (note is null))
);
create unique index property_index_drafts on property_index_releases (month) where published_at is null;
comment on table property_index_releases is 'Releases of the property index. Triggers prevent changes of published ones.';

create table property_index_series (
  month text not null,
  revision integer not null,
  position integer not null,
  kind text not null,
  property text not null,
  city text,
  -- As served, JSON.
  content text not null,
  primary key (month, revision, position),
  foreign key (month, revision) references property_index_releases on delete cascade
);
comment on table property_index_series is 'The series of a release of the property index.';

create function keep_published_releases() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    raise exception 'published releases never change';
  end if;
  if old.published_at is not null then
    raise exception 'release %-r% is published and never changes', old.month, old.revision;
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger keep_published before update or delete on property_index_releases
  for each row execute function keep_published_releases();
create trigger keep_published_all before truncate on property_index_releases
  for each statement execute function keep_published_releases();

create function keep_published_series() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    raise exception 'published releases never change';
  end if;
  if exists (
    select from property_index_releases r
     where r.published_at is not null
       and ((tg_op <> 'INSERT' and r.month = old.month and r.revision = old.revision)
         or (tg_op <> 'DELETE' and r.month = new.month and r.revision = new.revision))
  ) then
    raise exception 'series of a published release never change';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger keep_published before insert or update or delete on property_index_series
  for each row execute function keep_published_series();
create trigger keep_published_all before truncate on property_index_series
  for each statement execute function keep_published_series();
