import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table search_processes (
      process text primary key,
      synonyms text not null,
      problem text,
      seen_at timestamptz not null default now()
    );
    comment on table search_processes is 'Running processes with the version of the synonyms that they use.';
    comment on column search_processes.problem is 'Why a process does not use the newest file. Null if it does.';

    create table query_log (
      day date not null,
      kind text not null check (kind in ('q', 'sentence')),
      text text not null,
      calls integer not null,
      empty integer not null,
      results integer not null,
      not_understood text[] not null,
      primary key (day, kind, text)
    );
    comment on table query_log is 'Folded search texts without their callers, with QUERY_LOG=on.';
    comment on column query_log.empty is 'Calls without results.';
    comment on column query_log.results is 'Most results of a call. A search counts those of its first page.';
    comment on column query_log.not_understood is 'Words of a sentence without a filter.'`);
}
