import type { Knex } from 'knex';

/** The tables from which ingest fills indexes, with their ids. Triggers keep the rows that a run changes. */
const TABLES = {
  listings: 'id',
  listing_months: 'listing_id',
  listing_deals: 'listing_id',
  off_plan_projects: 'id',
  off_plan_developers: 'id',
};

export async function up(db: Knex): Promise<void> {
  // Rows of 3 KB are not compressed, which would take longer than all else that the trigger does.
  await db.raw(`
    create table earlier_rows (
      relation text not null,
      id bigint not null,
      -- The run that wrote the row, and the later one that changed it.
      changed_run integer not null,
      replaced_run integer not null,
      earlier json not null,
      -- Of a listing: its normalized ad.
      record text
    ) with (toast_tuple_target = 8160);
    create index earlier_rows_id on earlier_rows (relation, id);
    comment on table earlier_rows is
      'Rows as they were before the current run changed them, from which an index is filled while that run is unfinished.';

    create function keep_earlier_row() returns trigger language plpgsql as $$
    declare
      earlier constant json := to_json(old);
      key constant bigint := earlier ->> tg_argv[0];
    begin
      insert into earlier_rows (relation, id, changed_run, replaced_run, earlier, record)
        values (tg_table_name, key, old.changed_run, new.changed_run, earlier,
          case when tg_table_name = 'listings' then (select record from listing_records where id = key) end);
      return new;
    end $$`);
  for (const [table, id] of Object.entries(TABLES))
    await db.raw(`
      create trigger keep_earlier_row before update on ${table} for each row
        when (old.changed_run <> new.changed_run) execute function keep_earlier_row('${id}')`);
}
