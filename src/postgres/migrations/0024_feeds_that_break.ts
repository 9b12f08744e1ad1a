import type { Knex } from 'knex';

/** Detection of truncated and outdated feeds, and of repeated rejects. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table source_states
      -- why its feed is too old to confirm its ads
      add column stale_reason text,
      -- whether the last complete feed ended with a line break; null where it has no lines
      add column line_break boolean;

    -- 'stale': the feed was too old for too long; null: the feed no longer lists it
    alter table listings add column withdrawn_reason text check (withdrawn_reason in ('stale')),
      -- whether the source names the neighborhood; if not, it follows from the point. Known once the ad is read again.
      add column neighborhood_stated boolean not null default false;

    -- One row for all times that a source has the same reject. Rows of before have no digest: the next run has them anew.
    drop table ingest_rejects;
    create table ingest_rejects (
      source text not null,
      -- of reason and row
      digest text not null,
      -- the last run that had it, and its place among that run's rejects
      run_id integer not null references ingest_runs,
      position integer not null,
      reason text not null,
      detail text not null,
      row text not null,
      -- rows, in all runs
      count bigint not null,
      first_at timestamptz not null,
      at timestamptz not null,
      primary key (source, digest)
    );
    create index ingest_rejects_at on ingest_rejects (at);
  `);
}
