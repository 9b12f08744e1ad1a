import type pg from 'pg';

export type Writable = 'ok' | 'read_only' | 'unavailable';

/**
 * Whether transactions can write: not on a standby, not where sessions are read-only. A transaction id is assigned, to find
 * out whether Postgres can still assign one. No row is written, so nothing waits for the disk. A server whose disk is full
 * cannot write its log either, and stops: then it is unavailable.
 */
export async function probeWritable(pool: pg.Pool, limitMs: number): Promise<Writable> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Writable>((resolve) => {
    timer = setTimeout(resolve, limitMs, 'unavailable');
  });
  const result = pool
    .query<{ writable: boolean }>(
      `select case when pg_is_in_recovery() or current_setting('transaction_read_only')::boolean then false
                   else pg_current_xact_id() is not null end as writable`,
    )
    .then(({ rows }): Writable => (rows[0]?.writable === true ? 'ok' : 'read_only'))
    .catch((): Writable => 'unavailable');
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
