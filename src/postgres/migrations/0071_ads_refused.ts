import type { Knex } from 'knex';

/** Ads that are withdrawn because the index does not accept their content. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table listings drop constraint listings_withdrawn_reason_check;
    alter table listings add constraint listings_withdrawn_reason_check
      check (withdrawn_reason in ('stale', 'refused')) not valid;
  `);
}
