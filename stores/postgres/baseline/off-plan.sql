-- Off-plan projects: records of every source, the projects into which copies are merged, and their developers.

create table off_plan_records (
  id integer primary key,
  source text not null,
  source_project_id text not null,
  content_hash text not null,
  -- Names, place and point identify copies of a project.
  name_en text,
  name_ar text,
  developer_en text,
  developer_ar text,
  city text not null,
  neighborhood_id integer,
  lat double precision,
  lng double precision,
  -- The license only distinguishes copies. It must not occur in a record, document, reject or log.
  license text,
  -- The normalized project, JSON.
  record text not null,
  -- Keys in the CDN bucket, separated by spaces, and the hash of the addresses of the photos.
  photos text not null default '',
  photo_list text not null default '',
  -- 1: photos must be fetched.
  photos_pending smallint not null default 0,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  withdrawn_at timestamptz,
  changed_run integer not null,
  -- The run in which it was last added, or listed again after it was withdrawn. Null for rows of earlier releases.
  listed_run integer,
  -- The last run that requested the addresses of its photos again, or copied its first; 0: none; -1: the content has
  -- changed since.
  photos_checked_run integer not null default 0,
  unique (source, source_project_id)
);
comment on table off_plan_records is 'One row for each project of a source, never deleted.';

create table off_plan_developers (
  id integer primary key,
  name_en text,
  name_ar text,
  -- Its document in the index, JSON. Null while none of its projects is served.
  document text,
  changed_run integer not null
);
comment on table off_plan_developers is 'Developers of off-plan projects.';

create table off_plan_developer_keys (
  key text primary key,
  developer_id integer not null references off_plan_developers
);
comment on table off_plan_developer_keys is 'Folded spellings of the names of developers, by language.';

create table off_plan_projects (
  -- Id of the oldest record, including withdrawn ones, so that it does not change with the sources.
  id integer primary key references off_plan_records,
  developer_id integer references off_plan_developers,
  -- Its document in the index, JSON. Null while it is not served.
  document text,
  -- The project fields of the listings of its units, JSON.
  unit_project text,
  changed_run integer not null
);
comment on table off_plan_projects is 'Projects into which records of the same project are merged.';
