import type { Knex } from 'knex';

/** Marks photos below the minimum size. Listings show them only if they have no larger photo. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table photos add column small boolean not null default false');
}
