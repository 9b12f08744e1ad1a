import type { Knex } from 'knex';
import { CHARGE_FUNCTIONS } from '../charge-function.ts';

/** `charge`, as it is today: see src/postgres/charge-function.ts. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    drop function if exists charge(${ARGUMENTS});
    drop type if exists charge_result;
    -- The second of the oldest bucket that holds units, which is when the first of them are free again.
    alter table rate_windows add column oldest bigint not null default 0;
  `);
  await db.raw(CHARGE_FUNCTIONS);
}

const ARGUMENTS = 'bytea, text, text, integer, boolean, integer, integer, inet, timestamptz';

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop function charge; alter table rate_windows drop column oldest`);
}
