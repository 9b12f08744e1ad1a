import type pg from 'pg';
import { messageOf } from '#domain/message-of.ts';
import { sourceTable } from '#ingest/run/report-text.ts';
import * as sql from '#postgres/rows.ts';
import type { Ingest } from './ingest.ts';
import { showRuns } from './run-progress.ts';
import type { Screen } from './screen.ts';

/** Ingests feeds before requests are served. Later runs start in the worker. */
export async function ingestFirst(ingest: Ingest, pool: pg.Pool, screen: Screen, signal: AbortSignal): Promise<void> {
  if (ingest.sources.length === 0 || !(await isFirst(pool, ingest.sources))) return;
  const runs = showRuns(screen, 'Ingesting the feeds', ingest.sources);
  try {
    const report = await runs.track((onProgress) => ingest.run({ trigger: 'first', onProgress, signal }));
    runs.end();
    screen.say(sourceTable(report.sources));
    for (const [source, reason] of Object.entries({ ...report.stale, ...report.held, ...report.failed }))
      screen.say(`${source}: ${reason}`);
  } catch (error) {
    signal.throwIfAborted();
    // The worker resumes the run.
    screen.say(`Ingesting failed: ${messageOf(error)}`);
  } finally {
    runs.end();
  }
}

async function isFirst(pool: pg.Pool, sources: readonly string[]): Promise<boolean> {
  return !(await sql.hasRows(pool, `from ingest_runs where status = 'completed' and sources && $1::text[]`, [sources]));
}
