import type pg from 'pg';
import { messageOf } from '#domain/message-of.ts';
import { storable } from '#domain/text/visible.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import type { Writer } from '../postgres/writer.ts';
import { LAST_ID } from './restore.ts';
import { STAGE_REPORT, type Stage, type StageReport } from './run-report.ts';
import { sourceReports } from './source-report.ts';

export interface Run extends sql.RowOf<typeof RUN> {
  /** Whether the run continues an interrupted attempt. */
  resumed: boolean;
}

const RUN = {
  id: sql.integer,
  at: sql.timestamp,
  sources: sql.listOf(sql.text),
  /** Random id, by which an index shows that Postgres was restored to a state before the run. */
  uid: sql.text,
};

/** Returns the incomplete run, marked as resumed; null if there is none. */
export function resumeRun(writer: Writer): Promise<Run | null> {
  return writer.transaction(
    async (client) => {
      const run = await sql.queryRow(
        client,
        RUN,
        `update ingest_runs set status = 'running', resumed = resumed + 1, error = null
          where status <> 'completed' returning id, at, sources, uid`,
      );
      return run && { ...run, resumed: true };
    },
    { durable: true },
  );
}

/**
 * Begins a run. Rounds the time down to whole seconds, like all served timestamps.
 * @throws Error if a run with a later time exists, because feeds must be read in chronological order
 */
export function beginRun(writer: Writer, at: Date, sources: string[], trigger: string): Promise<Run> {
  const time = new Date(Math.floor(at.getTime() / 1000) * 1000);
  return writer.transaction(
    async (client) => {
      const last = await sql.queryRow(
        client,
        { at: sql.timestamp },
        'select at from ingest_runs order by id desc limit 1',
      );
      if (last && last.at > time) {
        throw new Error(
          `The last run is as of ${last.at.toISOString()}; a run as of ${time.toISOString()} cannot follow it.`,
        );
      }
      const run = await sql.queryOne(
        client,
        RUN,
        `insert into ingest_runs (id, at, status, sources, trigger)
         select ${LAST_ID.run} + 1, $1, 'running', $2, $3
         returning id, at, sources, uid`,
        [time, sources, trigger],
      );
      return { ...run, resumed: false };
    },
    { durable: true },
  );
}

export async function failRun(writer: Writer, run: Run, error: unknown): Promise<void> {
  const message = storable(messageOf(error));
  await writer.transaction((client) =>
    client.query(`update ingest_runs set status = 'failed', error = $2 where id = $1`, [
      run.id,
      message.slice(0, 2000),
    ]),
  );
}

/**
 * Completes the run, which releases its events: at least two microseconds after the previous release, even if the clock
 * goes back, because the export watermark lies between two releases.
 */
export async function completeRun(writer: Writer, run: Run, followed: boolean): Promise<void> {
  await writer.transaction(
    async (client) => {
      await client.query(
        `update ingest_runs set status = 'completed', completed_at = greatest(
           now(), (select max(completed_at) + interval '2 microseconds' from ingest_runs where status = 'completed'))
          where id = $1`,
        [run.id],
      );
      await client.query('delete from ingest_retries');
      // If another run follows, it publishes the documents of this one.
      if (!followed) await client.query('delete from earlier_rows');
    },
    { durable: true },
  );
}

/** Returns whether the run changed the content or visibility of ads. Confirming an unchanged ad does not count. */
export const marketChanged = ({ pool, run }: { pool: pg.Pool; run: Run }): Promise<boolean> =>
  sql.hasRows(pool, 'from listings where changed_run = $1 and (content_run = $1 or served <> was_served)', [run.id]);

const STAGE_STATE = { finished: sql.boolean, checkpoint: sql.integer, details: sql.json<Record<string, unknown>>() };
export type StageState = sql.RowOf<typeof STAGE_STATE>;

/** Begins a stage. @returns the progress of an interrupted attempt */
export function beginStage(writer: Writer, run: Run, stage: Stage, source = ''): Promise<StageState> {
  return writer.transaction(
    (client) =>
      sql.queryOne(
        client,
        STAGE_STATE,
        `insert into ingest_run_stages (run_id, stage, source) values ($1, $2, $3)
         on conflict (run_id, stage, source) do update set run_id = excluded.run_id
         returning finished_at is not null as finished, checkpoint, details`,
        [run.id, stage, source],
      ),
    { durable: true },
  );
}

/** The counts of a finished stage, for reports. */
type StageResult = Pick<StageReport, 'kept'> & Partial<Pick<StageReport, 'dropped' | 'details'>>;

/**
 * Runs a stage, unless an interrupted attempt of the run has completed it.
 * @param work performs the stage and returns the last writes, which are committed with the stage's counts
 */
export async function runStage(
  { run, writer }: { run: Run; writer: Writer },
  stage: Stage,
  work: (progress: StageState) => Promise<(client: Transaction) => StageResult | Promise<StageResult>>,
): Promise<void> {
  const progress = await beginStage(writer, run, stage);
  if (progress.finished) return;
  const finish = await work(progress);
  await writer.transaction(async (client) => finishStage(client, run, stage, await finish(client)), { durable: true });
}

/** Marks a stage as finished, in the transaction of its last writes. */
export async function finishStage(
  client: Transaction,
  run: Run,
  stage: Stage,
  { kept, dropped = {}, details = {} }: StageResult,
  source = '',
): Promise<void> {
  await client.query(
    `update ingest_run_stages set kept = $4, dropped = $5, details = $6, finished_at = now()
      where run_id = $1 and stage = $2 and source = $3`,
    [run.id, stage, source, kept, JSON.stringify(dropped), JSON.stringify(details)],
  );
}

const REPORT = {
  /** Time of the run, as of which feeds are read. */
  at: sql.timestamp,
  resumed: sql.integer,
  seconds: sql.nullable(sql.number),
  /** Reasons by source. */
  held: sql.json<Record<string, string>>(),
  failed: sql.json<Record<string, string>>(),
  /** Reasons why feeds are too old to confirm their ads, by source. */
  stale: sql.json<Record<string, string>>(),
  events: sql.json<Record<string, number>>(),
};

export type RunReport = Awaited<ReturnType<typeof readReport>>;

export async function readReport(pool: pg.Pool, id: number) {
  const reasons = (column: string): string =>
    `coalesce(json_object_agg(source, ${column}) filter (where ${column} is not null), '{}')`;
  const run = await sql.queryRow(
    pool,
    REPORT,
    `select at, resumed, extract(epoch from completed_at - started_at)::float as seconds, s.*, e.*
       from ingest_runs r
      cross join lateral (
        select ${reasons('held_reason')} as held, ${reasons('error')} as failed, ${reasons('stale_reason')} as stale
          from source_states where source = any (r.sources)) s
      cross join lateral (
        select coalesce(json_object_agg(type, count order by type), '{}') as events
          from (select type, count(*) from listing_events where run_id = r.id group by type) c) e
      where id = $1`,
    [id],
  );
  if (!run) throw new Error(`There is no run ${id}.`);
  const stages = await sql.queryRows(
    pool,
    STAGE_REPORT,
    `select stage, nullif(source, '') as source, kept, dropped, details,
            extract(epoch from coalesce(finished_at, now()) - started_at)::float as seconds
       from ingest_run_stages where run_id = $1 order by started_at, source`,
    [id],
  );
  return {
    ...run,
    run: id,
    at: run.at.toISOString(),
    resumed: run.resumed > 0,
    stages,
    sources: await sourceReports(pool, id),
    seconds: run.seconds ?? 0,
  };
}
