import type { Knex } from 'knex';

const PHOTOS_CHECKED_RUN = `
  -- The last run that requested the addresses of its photos again, or copied its first; 0: none did since this column
  -- exists; -1: the content has changed since.
  add column photos_checked_run integer not null default 0`;

/**
 * Requests that check stored photos: the last response of the host, the order of checks, and the checks of the current
 * run.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table photos
      -- Validators of the last response with bytes.
      add column etag text,
      add column last_modified text;
    alter table listings ${PHOTOS_CHECKED_RUN};
    alter table off_plan_records ${PHOTOS_CHECKED_RUN};
    create index listings_photos_changed on listings (source, id)
      where photos_checked_run = -1 and withdrawn_at is null and photos <> '';
    create index listings_photos_checked on listings (source, photos_checked_run, id) where served and photos <> '';

    -- Listings and projects whose photos the current run requests again. A killed run continues with those that are left.
    create table photo_checks (
      owner text not null check (owner in ('listings', 'off_plan_records')),
      owner_id bigint not null,
      primary key (owner, owner_id)
    );
    -- Keys whose address has other bytes since the check of one owner, until all owners that show them are brought up to date.
    create table replaced_photos (key text primary key);
  `);
}
