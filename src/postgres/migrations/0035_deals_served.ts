import type { Knex } from 'knex';

/** Counts only the deals of a load that no rule excludes: excluded deals neither complete a quarter nor hold it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table official_loads add column served integer not null default 0;
    update official_loads set served = rows;
    comment on column official_loads.served is 'its rows that no rule leaves out';
    comment on column official_loads.last_day is 'of its last row that has a day and that no rule leaves out';
    -- The index is filled again, and both columns with it.
    update derived_indexes set made_with = null where name = 'transactions';
  `);
}
