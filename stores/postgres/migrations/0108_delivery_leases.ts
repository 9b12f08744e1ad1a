import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table webhook_deliveries add column leased_until timestamptz;
    comment on column webhook_deliveries.leased_until is
      'While a worker sends it, the end of its lease by the clock of Postgres, because clocks of workers differ.'`);
}
