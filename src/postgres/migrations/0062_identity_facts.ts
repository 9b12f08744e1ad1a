import type { Knex } from 'knex';

/** Facts by which identity matches ads beside those that are served. Set when the ad is next read. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table listings
      -- Areas that the text states of the home and of its plot.
      add column text_area double precision,
      add column plot_area double precision,
      add column street_width double precision;
  `);
}
