-- Exports of whole datasets as files.

create table exports (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  organization_id bigint not null references organizations on delete cascade,
  -- The key that is charged, and that must still be authorized at that time.
  key_id bigint references api_keys on delete set null,
  dataset text not null,
  format text not null check (format in ('ndjson', 'csv')),
  -- After validation. The type json retains the order of the request.
  filters json not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'canceled')),
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- Time of the state that the files contain.
  as_of timestamptz,
  -- Increases with each claim and is part of every file name, so that a worker that lost its lease cannot overwrite
  -- the files of the worker that has it.
  attempt integer not null default 0,
  -- Attempts since the export was queued that ended with an error or a crash.
  failures smallint not null default 0,
  -- The earliest time to claim the export; while it runs, the end of the worker's lease.
  due_at timestamptz not null,
  rows_total bigint,
  rows_written bigint not null default 0,
  units integer not null default 0,
  -- The counters and the month to which the units were charged.
  charge json,
  -- Name, size in bytes, SHA-256 and number of rows of each file, once completed.
  files json,
  error_code text,
  error_message text,
  files_deleted_at timestamptz
);
create index exports_organization on exports (organization_id, id desc);
create index exports_due on exports (due_at) where status in ('queued', 'running');
comment on table exports is 'Exports with their progress, which are also the queue of the export workers.';
