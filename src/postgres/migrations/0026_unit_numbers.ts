import type { Knex } from 'knex';

/** Numbers of units, by which identity tells the homes of one building apart. */
export async function up(db: Knex): Promise<void> {
  // As the text states it; null where it states none, or several. Known once the ad is read again.
  await db.raw('alter table listings add column unit text');
}
