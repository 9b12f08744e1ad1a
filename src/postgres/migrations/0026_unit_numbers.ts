import type { Knex } from 'knex';

/** Unit numbers, by which the matching of ads distinguishes homes in the same building. */
export async function up(db: Knex): Promise<void> {
  // Unit number in the text of an ad; null if the text contains none or several. Set when the ad is next crawled.
  await db.raw('alter table listings add column unit text');
}
