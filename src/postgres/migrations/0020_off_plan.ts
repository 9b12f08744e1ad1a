import type { Knex } from 'knex';

/**
 * Off-plan projects: the records of every source, the projects into which records of the same project are merged, and
 * their developers. A project has the id of its oldest record, including withdrawn ones, so the id does not change when
 * sources are added or removed.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- One row for each (source, source_project_id), never deleted.
    create table off_plan_records (
      id integer primary key,
      source text not null,
      source_project_id text not null,
      content_hash text not null,
      -- what copies are recognized by
      name_en text,
      name_ar text,
      developer_en text,
      developer_ar text,
      city text not null,
      neighborhood_id integer,
      lat double precision,
      lng double precision,
      -- for telling copies apart, and for nothing else: it is in no record, document, reject or log
      license text,
      -- the project as normalized, JSON
      record text not null,
      -- keys in the CDN bucket, separated by spaces; the hash of the addresses they came from
      photos text not null default '',
      photo_list text not null default '',
      photos_pending smallint not null default 0,
      first_seen_at timestamptz not null,
      updated_at timestamptz not null,
      withdrawn_at timestamptz,
      changed_run integer not null,
      unique (source, source_project_id)
    );

    create table off_plan_developers (
      id integer primary key,
      name_en text,
      name_ar text,
      -- as the index has it, JSON; null while none of its projects is served
      document text,
      changed_run integer not null
    );
    -- Folded spellings of their names, by language.
    create table off_plan_developer_keys (
      key text primary key,
      developer_id integer not null references off_plan_developers
    );

    create table off_plan_projects (
      id integer primary key references off_plan_records,
      developer_id integer references off_plan_developers,
      -- as the index has it, JSON; null while it is not served
      document text,
      -- what its units' listings say of it, JSON
      unit_project text,
      changed_run integer not null
    );

    -- How an ad names its project, and the project that was found, in the words of off_plan_projects.unit_project.
    alter table listings
      add column project_ref text,
      add column project_name text,
      add column project_developer text,
      add column project_id integer,
      add column project text;
    create index listings_of_projects on listings (id)
      where project_ref is not null or project_name is not null or project_id is not null;
  `);
}
