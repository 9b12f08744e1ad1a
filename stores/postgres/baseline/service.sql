-- State of the service itself: which releases may use the database, jobs, mail, and the indexes built from tables.

create table schema_contracts (
  version integer primary key,
  migration text not null,
  applied_at timestamptz not null default now()
);
comment on table schema_contracts is 'Contract steps: migrations after which earlier releases cannot use the database.';
comment on column schema_contracts.version is
  'the oldest schema version that a release must have to use this database, which is that of the migration';

create table schema_functions (
  only_row boolean primary key default true check (only_row),
  -- Schema version of the release.
  release integer not null,
  checksum text not null
);
comment on table schema_functions is 'The release that last replaced the functions outside migrations, and the checksum of their text.';

create table job_runs (
  name text primary key,
  due_at timestamptz not null,
  finished_at timestamptz,
  result jsonb,
  error text
);
comment on table job_runs is 'For each scheduled job, the last minute at which it was due and a worker started it.';

create table mails (
  id bigint generated always as identity primary key,
  -- The event that the mail reports. Each recipient receives one mail for it.
  reason text not null,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null,
  -- The earliest time to claim the mail; while it is being sent, the end of the worker's lease.
  due_at timestamptz not null,
  -- Increases with each claim. A worker that lost its lease has an earlier number, and writes nothing.
  claims integer not null default 0,
  tries integer not null default 0,
  -- When the mail was sent or its last attempt failed.
  finished_at timestamptz,
  -- Error of the last attempt.
  error text,
  unique (reason, recipient)
);
create index mails_waiting on mails (due_at) where finished_at is null;
comment on table mails is 'Email outbox, written in the transaction of the event that a mail reports.';

create table served_indexes (
  name text primary key,
  -- The index behind the alias. Null until the first fill has ended.
  serving text,
  documents bigint not null default 0,
  -- The last run or load that the index contains. Null: the next run must fill a new index.
  run bigint,
  -- Digest of what documents depend on besides the tables.
  made_with text,
  -- The index to which the alias moves. Both are valid until the move is settled.
  intended text,
  intended_documents bigint not null default 0,
  -- The index before the last fill, for a rollback, and the last run that it contains.
  previous text,
  previous_run bigint,
  settled_at timestamptz
);
comment on table served_indexes is 'The index behind each alias, and the one to which an alias is about to move.';

create table restores (
  id integer generated always as identity primary key,
  at timestamptz not null default now(),
  reason text not null check (reason in ('detected', 'stated')),
  -- The last run in the restored database.
  after_run integer not null,
  -- Ids up to these are not assigned again.
  last_listing bigint not null,
  last_project integer not null,
  last_developer integer not null,
  last_run integer not null,
  -- Null until all indexes are rebuilt.
  rebuilt_at timestamptz,
  -- Ids of runs that an index contained and the restored database lacked.
  lost_runs text[] not null default '{}'
);
comment on table restores is 'Restores of this database to an earlier state.';
