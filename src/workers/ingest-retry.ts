import type pg from 'pg';
import { type Backoff, backoffMs } from '#domain/backoff.ts';
import * as sql from '#postgres/rows.ts';

/** Retries end after 11 hours in total, because scheduled runs are 12 hours apart. */
const PAUSES: Backoff = { firstMs: 2_000, longestMs: 10 * 60_000 };
const RETRY_FOR_MS = 11 * 3_600_000;

const RETRY = {
  since: sql.timestamp,
  failures: sql.integer,
  next_at: sql.timestamp,
  reason: sql.text,
};
/** A retry after a datastore was unavailable. */
export type IngestRetry = sql.RowOf<typeof RETRY>;

/** Returns null if the next scheduled run is soon enough. */
export function planRetry(
  before: Pick<IngestRetry, 'since' | 'failures'> | null,
  reason: string,
  now: number,
  random: number,
): IngestRetry | null {
  const failures = (before?.failures ?? 0) + 1;
  const since = before?.since ?? new Date(now);
  const nextAt = now + backoffMs(PAUSES, failures, random);
  return nextAt - since.getTime() > RETRY_FOR_MS ? null : { since, failures, next_at: new Date(nextAt), reason };
}

/** Returns the retry that any process has recorded; null if none is pending. */
export const readRetry = (pool: pg.Pool): Promise<IngestRetry | null> =>
  sql.queryRow(pool, RETRY, 'select since, failures, next_at, reason from ingest_retries');

/** Records a retry. Null deletes it, as does a completed run. */
export async function saveRetry(pool: pg.Pool, retry: IngestRetry | null): Promise<void> {
  if (retry === null) {
    await pool.query('delete from ingest_retries');
    return;
  }
  await pool.query(
    `insert into ingest_retries (since, failures, next_at, reason) values ($1, $2, $3, $4)
     on conflict (single) do update set since = excluded.since, failures = excluded.failures, next_at = excluded.next_at,
       reason = excluded.reason`,
    [retry.since, retry.failures, retry.next_at, retry.reason],
  );
}
