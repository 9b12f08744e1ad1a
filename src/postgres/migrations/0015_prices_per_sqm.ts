import type { Knex } from 'knex';

/** Adds prices per square meter for ads, and outlier limits for them in addition to the limits for total prices. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table listings
      -- the advertiser's own amount; null where none is posted, or the ad was last read before this column was there
      add column posted_amount double precision,
      -- whether that is for each square meter: 'price' is of the whole area
      add column per_sqm boolean not null default false;

    alter table quality_fences drop constraint quality_fences_kind_check,
      add constraint quality_fences_kind_check check (kind in ('typed', 'pooled', 'per_sqm'));
  `);
}
