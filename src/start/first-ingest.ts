import type pg from 'pg';
import { messageOf } from '#domain/message-of.ts';
import { sourceTable } from '#ingest/run/report-text.ts';
import * as sql from '#postgres/rows.ts';
import type { Ingest } from './ingest.ts';
import { shareOfRun } from './run-share.ts';
import type { Screen } from './screen.ts';

/** Ingests feeds before requests are served. Later runs start in the worker. */
export async function ingestFirst(ingest: Ingest, pool: pg.Pool, screen: Screen, signal: AbortSignal): Promise<void> {
  if (ingest.sources.length === 0 || !(await isFirst(pool, ingest.sources))) return;
  const bar = screen.progress('Ingesting the feeds', 1);
  const share = shareOfRun(ingest.sources);
  try {
    const report = await ingest.run({
      trigger: 'first',
      onProgress: (progress) =>
        bar.update(share(progress), [progress.stage, progress.source].filter(Boolean).join(' ')),
      signal,
    });
    bar.end();
    screen.say(sourceTable(report.sources));
    for (const [source, reason] of Object.entries({ ...report.stale, ...report.held, ...report.failed }))
      screen.say(`${source}: ${reason}`);
  } catch (error) {
    signal.throwIfAborted();
    // The worker resumes the run.
    screen.say(`Ingesting failed: ${messageOf(error)}`);
  } finally {
    bar.end();
  }
}

async function isFirst(pool: pg.Pool, sources: readonly string[]): Promise<boolean> {
  return !(await sql.hasRows(pool, `from ingest_runs where status = 'completed' and sources && $1::text[]`, [sources]));
}
