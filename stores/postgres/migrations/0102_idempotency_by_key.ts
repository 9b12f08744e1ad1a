import type { Knex } from 'knex';

/** Expand: earlier releases store responses by organization and leave the column null. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table idempotency_records add column first_key bigint;
    comment on column idempotency_records.first_key is
      'The key that sent the request, or the one from which rotations have made it. Null: stored by an earlier release.';
    create index api_keys_rotated_to on api_keys (rotated_to) where rotated_to is not null`);
}
