import type { Knex } from 'knex';

/** Releases of the property index. Triggers prevent any change of a published release. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table property_index_releases (
      month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
      -- 1, and one more with each correction
      revision integer not null check (revision > 0),
      -- why there is another revision
      note text,
      -- SHA-256 of what it says
      digest text not null,
      -- JSON as it is served
      cities_without_series text not null,
      -- null: a draft, which nobody is served
      published_at timestamptz,
      primary key (month, revision),
      check ((revision = 1) = (note is null))
    );
    create unique index property_index_drafts on property_index_releases (month) where published_at is null;

    create table property_index_series (
      month text not null,
      revision integer not null,
      position integer not null,
      kind text not null,
      property text not null,
      city text,
      -- JSON as it is served
      content text not null,
      primary key (month, revision, position),
      foreign key (month, revision) references property_index_releases on delete cascade
    );

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
  `);
}
