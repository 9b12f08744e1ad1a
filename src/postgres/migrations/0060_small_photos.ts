import type { Knex } from 'knex';

/** Photos below the minimum size, which listings show only when they have no larger one. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table photos add column small boolean not null default false');
}
