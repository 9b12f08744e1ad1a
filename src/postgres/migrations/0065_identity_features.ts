import type { Knex } from 'knex';

/** Amenities and the side that a home faces, as bits, for the matching of ads. Set when the ad is next crawled. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table listings add column features integer');
}
