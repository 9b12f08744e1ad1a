import type { Knex } from 'knex';

/** Wider than before, so that earlier releases run on it. Their workers fail to read exports of the new format. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table exports
      drop constraint exports_format_check,
      add constraint exports_format_check check (format in ('ndjson', 'csv', 'parquet'))`);
}
