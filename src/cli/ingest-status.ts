import type pg from 'pg';
import { nextScheduledRun } from '#workers/ingest.ts';
import { type IngestRetry, readRetry } from '#workers/ingest-retry.ts';

interface LastRun {
  id: number;
  at: Date;
  status: 'running' | 'failed' | 'completed';
  trigger: string;
  error: string | null;
}

/** The last ingest run, the next retry if a run failed, and the time of the next scheduled run. */
export interface IngestStatus {
  last_run: LastRun | null;
  retry: IngestRetry | null;
  next_scheduled: Date | null;
}

export async function readStatus(pool: pg.Pool): Promise<IngestStatus> {
  const { rows } = await pool.query<LastRun>(
    'select id, at, status, trigger, error from ingest_runs order by id desc limit 1',
  );
  return { last_run: rows[0] ?? null, retry: await readRetry(pool), next_scheduled: nextScheduledRun() };
}

export function statusText({ last_run: run, retry, next_scheduled: next }: IngestStatus, now: number): string {
  const lines = [
    run === null
      ? 'No run yet.'
      : `Run ${run.id} as of ${run.at.toISOString()} (${run.trigger}): ${run.status}${run.error ? `, ${run.error}` : ''}`,
  ];
  if (retry !== null) {
    const tries = `${retry.failures} ${retry.failures === 1 ? 'try has' : 'tries have'} failed since ${retry.since.toISOString()}`;
    const overdue = retry.next_at.getTime() < now ? ' (due: is a worker running?)' : '';
    lines.push(`Next try: ${retry.next_at.toISOString()}${overdue}; ${tries}: ${retry.reason}`);
  }
  lines.push(`Next scheduled run: ${next?.toISOString() ?? 'none'}`);
  return lines.join('\n');
}
