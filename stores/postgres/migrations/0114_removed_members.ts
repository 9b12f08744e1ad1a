import type { Knex } from 'knex';

/** Usage by member names members who were removed. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table api_keys add column removed_member jsonb;
    comment on column api_keys.removed_member is
      'Id and name of the last member of the key, if it was removed. Null for keys of members removed by earlier releases.'`);
}
