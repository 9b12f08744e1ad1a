import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table exports add column max_units integer;
    comment on column exports.max_units is 'The most units that the export may cost. Null without a limit.'`);
}
