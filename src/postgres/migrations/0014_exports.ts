import type { Knex } from 'knex';

/** Exports. The charge for background work is in src/postgres/charge-function.ts. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table exports (
      id bigint generated always as identity primary key,
      public_id text not null unique,
      organization_id bigint not null references organizations on delete cascade,
      -- whose units pay for it, and who is judged again when they do
      key_id bigint references api_keys on delete set null,
      dataset text not null,
      format text not null check (format in ('ndjson', 'csv')),
      -- as validated; json keeps the order that the caller wrote
      filters json not null,
      status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'canceled')),
      created_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      -- the moment whose state the files hold
      as_of timestamptz,
      -- Rises with every claim and is in the name of every file: what a worker that lost its lease still writes is
      -- never in the way of the one that has it.
      attempt integer not null default 0,
      -- attempts since it was queued that ended in an error or with their worker
      failures smallint not null default 0,
      -- not to be claimed before; while it runs, the end of the worker's lease
      due_at timestamptz not null,
      rows_total bigint,
      rows_written bigint not null default 0,
      units integer not null default 0,
      -- who and which month 'units' were taken from
      charge json,
      -- name, bytes, SHA-256 and rows of each, once completed
      files json,
      error_code text,
      error_message text,
      files_deleted_at timestamptz
    );
    create index exports_organization on exports (organization_id, id desc);
    create index exports_due on exports (due_at) where status in ('queued', 'running');

    -- Open-data exports are for any data key. Listings are exported on Enterprise only.
    update plans set scopes = array_remove(scopes, 'exports') where name <> 'enterprise';
  `);
}
