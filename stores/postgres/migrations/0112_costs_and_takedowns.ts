import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table exports add column max_units integer;
    comment on column exports.max_units is 'The most units that the export may cost. Null without a limit.';

    create table takedown_remains (
      listing_id bigint primary key,
      -- Keys in the CDN bucket, separated by spaces.
      photos text not null
    );
    comment on table takedown_remains is
      'Listings that were taken down whose photos, and documents of indexes that are not served, are still to be deleted.'`);
}
