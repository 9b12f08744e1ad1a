import * as sql from './rows.ts';
import type { Queryable } from './transaction.ts';

/** SQL queries that return `label` and `value`, by metric. */
const FIGURES = {
  /** Epoch seconds of the last complete crawl of a source. */
  source_last_success_timestamp_seconds: `select source, extract(epoch from last_seen_at) from source_states where last_seen_at is not null`,
  source_listings: `select source, live_count from source_states`,
  /** 1 while the feed of a source is held until an operator releases it, otherwise 0. */
  source_held: `select source, (held_run is not null and not released)::int from source_states`,
  /** Epoch seconds at which the last ingest run was completed. */
  ingest_last_completed_timestamp_seconds: `select '', extract(epoch from max(completed_at)) from ingest_runs where status = 'completed'
    having max(completed_at) is not null`,
  ingest_stage_seconds: `select stage, sum(extract(epoch from finished_at - started_at)) from ingest_run_stages
    where finished_at is not null and run_id = (select max(id) from ingest_runs where status = 'completed') group by stage`,
  ingest_rows: `select source, kept from ingest_run_stages
    where stage = 'fetch' and run_id = (select max(id) from ingest_runs where status = 'completed')`,
  ingest_rejected_rows: `select source, (select coalesce(sum(value::bigint), 0) from jsonb_each_text(dropped))
    from ingest_run_stages where stage = 'fetch' and run_id = (select max(id) from ingest_runs where status = 'completed')`,
  jobs_waiting: `select 'exports', count(*) from exports where status = 'queued'
    union all select 'mails', count(*) from mails where finished_at is null
    union all select 'webhooks', count(*) from webhook_deliveries where status = 'pending' and due_at <= now()`,
  /** Seconds since the oldest waiting job became due; 0 without one. */
  jobs_oldest_seconds: `select 'exports', coalesce(extract(epoch from now() - min(due_at)), 0) from exports
      where status = 'queued' and due_at <= now()
    union all select 'mails', coalesce(extract(epoch from now() - min(due_at)), 0) from mails
      where finished_at is null and due_at <= now()
    union all select 'webhooks', coalesce(extract(epoch from now() - min(due_at)), 0) from webhook_deliveries
      where status = 'pending' and due_at <= now()`,
  /** Seconds since the oldest completed run that some enabled endpoint is not matched with; 0 without one. */
  webhook_lag_seconds: `select '', coalesce(max(extract(epoch from now() - next.completed_at)), 0)
    from webhook_endpoints e cross join lateral (
      select completed_at from ingest_runs where status = 'completed' and id > e.matched_run order by id limit 1) next
    where e.status = 'enabled'`,
  webhook_events_skipped: `select '', count(*) from listing_events where skipped_at > now() - interval '1 day'`,
} as const;
export type OperationName = keyof typeof FIGURES;

/** `label` is the source, stage or queue. */
const FIGURE = { name: sql.oneOf(Object.keys(FIGURES) as OperationName[]), label: sql.text, value: sql.number };

const SQL = Object.entries(FIGURES)
  .map(
    ([name, sql]) =>
      `select '${name}' as name, label, value::float8 as value from (${sql}) as "${name}" (label, value)`,
  )
  .join('\nunion all ');

/** In one statement. @throws Postgres errors */
export const readOperations = (db: Queryable) => sql.queryRows(db, FIGURE, SQL);
