import type { Knex } from 'knex';

/**
 * Unpublished facts that the matching of ads uses in addition to the published ones. Set when the ad is next crawled.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table listings
      -- Areas that the text states of the home and of its plot.
      add column text_area double precision,
      add column plot_area double precision,
      add column street_width double precision;
  `);
}
