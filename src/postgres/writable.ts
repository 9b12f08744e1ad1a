import type pg from 'pg';
import * as sql from './rows.ts';

export type Writable = 'ok' | 'read_only' | 'unavailable';

/**
 * Returns whether transactions can write. `read_only` means a standby or a read-only session. The probe assigns a
 * transaction id to check that Postgres can still assign one. It writes no row, so it does not wait for the disk. A
 * server with a full disk cannot write its log and stops, which counts as unavailable.
 * @param limitMs timeout in milliseconds
 */
export async function probeWritable(pool: pg.Pool, limitMs: number): Promise<Writable> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Writable>((resolve) => {
    timer = setTimeout(resolve, limitMs, 'unavailable');
  });
  const result = sql
    .queryOne(
      pool,
      { writable: sql.boolean },
      `select case when pg_is_in_recovery() or current_setting('transaction_read_only')::boolean then false
                 else pg_current_xact_id() is not null end as writable`,
    )
    .then((row): Writable => (row.writable ? 'ok' : 'read_only'))
    .catch((): Writable => 'unavailable');
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
