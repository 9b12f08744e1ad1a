import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import * as sql from './rows.ts';

export type Writable = 'ok' | 'read_only' | 'unavailable';

/**
 * Returns whether transactions can write. `read_only` means a standby or a read-only session. The probe assigns a
 * transaction id to check that Postgres still can. It writes no row, so it does not wait for the disk. A server with a
 * full disk stops, which counts as unavailable.
 * @param limitMs timeout in milliseconds
 */
export function probeWritable(pool: pg.Pool, limitMs: number): Promise<Writable> {
  const late = sleep<Writable>(limitMs, 'unavailable', { ref: false });
  const result = sql
    .queryOne(
      pool,
      { writable: sql.boolean },
      `select case when pg_is_in_recovery() or current_setting('transaction_read_only')::boolean then false
                 else pg_current_xact_id() is not null end as writable`,
    )
    .then((row): Writable => (row.writable ? 'ok' : 'read_only'))
    .catch((): Writable => 'unavailable');
  return Promise.race([result, late]);
}
