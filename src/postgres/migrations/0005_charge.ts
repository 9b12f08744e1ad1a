import type { Knex } from 'knex';

/** Adds the first version of `charge`. The current version is in src/postgres/charge-function.ts. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    drop function if exists charge(${ARGUMENTS});
    drop type if exists charge_result;
    -- The second of the oldest bucket that holds units, which is when the first of them are free again.
    alter table rate_windows add column oldest bigint not null default 0;
  `);
}

const ARGUMENTS = 'bytea, text, text, integer, boolean, integer, integer, inet, timestamptz';
