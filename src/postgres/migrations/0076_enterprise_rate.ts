import type { Knex } from 'knex';

/** Gives the Enterprise plan a rate, so that every metered response states one. Organizations can have their own. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`update plans set units_per_minute = 60000 where name = 'enterprise' and units_per_minute is null`);
}
