import type { Knex } from 'knex';

/** Earlier releases charge before they load, with the functions and tables that are dropped here. */
export const contract = true;

/**
 * Calls are charged last and in one statement, so that no charge must be settled. `charge` is dropped before the
 * current version (src/postgres/charge-function.ts) is created, because two overloads would make every call ambiguous.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    drop function if exists charge_calls(json, integer, uuid, bigint);
    drop function if exists charge(bytea, text, text, integer, boolean, integer, integer, inet, timestamptz, boolean, uuid, bigint);
    drop function if exists settle_charge(uuid, bigint);
    drop function if exists give_back(uuid, bigint, text, bigint, bigint, bigint, integer, integer);
    drop table charge_sessions, refunds;
  `);
}
