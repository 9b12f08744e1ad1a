import type { Knex } from 'knex';

/**
 * Official open data as published. A load contains the data of one publication for one quarter. Rows belong to a load,
 * so that a quarter is replaced by making another load the current one.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table official_files (
      id integer generated always as identity primary key,
      -- SHA-256 of its bytes, and of what reading them depends on
      digest text not null,
      name text not null,
      kind text,
      layout text,
      status text not null default 'reading' check (status in ('reading', 'imported', 'held', 'repeated', 'refused')),
      rows integer not null default 0,
      taken integer not null default 0,
      rejected integer not null default 0,
      -- rows that were not taken, by reason
      reasons jsonb not null default '{}',
      detail text,
      imported_at timestamptz not null default now(),
      finished_at timestamptz
    );
    create index official_files_digest on official_files (digest);

    -- Rows that were not taken, the first thousand of a file. Their cells are not kept: a cell that is where it does not
    -- belong may be the number of a plan, a parcel or a deed.
    create table official_rejects (
      file_id integer not null references official_files on delete cascade,
      line integer not null,
      reason text not null,
      detail text not null,
      primary key (file_id, line)
    );

    create table official_loads (
      id integer generated always as identity primary key,
      kind text not null check (kind in ('transactions', 'registered_rents', 'sales_indicators', 'price_index')),
      -- the region, for publications that come in one file a region
      scope text not null default '',
      -- year * 4 + quarter - 1
      quarter smallint not null,
      file_id integer not null references official_files,
      -- of its rows whatever their order: equal ones say the same
      digest text not null,
      rows integer not null,
      -- of its last row that has a day
      last_day date,
      state text not null check (state in ('staged', 'held', 'current', 'retired')),
      detail text,
      created_at timestamptz not null default now()
    );
    create unique index official_loads_current on official_loads (kind, scope, quarter) where state = 'current';
    create index official_loads_state on official_loads (state) where state <> 'current';

    create table transactions (
      load_id integer not null references official_loads,
      -- 52 bits: the public id is made of it
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
      mean_rent_sar double precision not null,
      mean_rent_per_sqm_sar double precision
    );
    create index registered_rents_load on registered_rents (load_id);
    create index registered_rents_city on registered_rents (city, quarter);

    -- The regulator's indicators: the ground of the property index, and never served row by row.
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

    create table price_index (
      load_id integer not null references official_loads,
      quarter smallint not null,
      region text not null,
      item text not null,
      item_ar text not null,
      base_year smallint not null,
      index_value double precision not null,
      weight double precision,
      -- as published: shares, not percents
      change_yoy double precision,
      change_qoq double precision,
      primary key (load_id, region, item)
    );
    create index price_index_region on price_index (region, item, quarter);

    -- What the index that holds all of a table was made with, beside its template.
    alter table derived_indexes add column made_with text;
  `);
}
