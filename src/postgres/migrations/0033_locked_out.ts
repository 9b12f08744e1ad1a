import type { Knex } from 'knex';
import { CHARGE_FUNCTIONS } from '../charge-function.ts';

/** A statement for several calls waits for a lock for a moment only: calls of others do not wait for one that is locked out. */
export async function up(db: Knex): Promise<void> {
  await db.raw(CHARGE_FUNCTIONS);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter function charge_calls reset lock_timeout');
}
