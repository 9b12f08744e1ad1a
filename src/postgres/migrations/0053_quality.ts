import type { Knex } from 'knex';

/** Quality findings of a listing. See `QUALITY_FLAGS`. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table listings
      -- Flags that come from the advertiser's text.
      add column text_flags text[] not null default '{}',
      add column relisted boolean not null default false,
      add column shared_photos boolean not null default false,
      -- More than 45% below the median of its band.
      add column far_below boolean not null default false;
  `);
}
