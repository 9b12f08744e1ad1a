import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import * as sql from './rows.ts';

// bigint columns contain ids and counts far below 2^53, which are served as JSON integers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PoolOptions {
  max?: number;
  /** Statement timeout in milliseconds. */
  statementTimeout?: number;
  name?: string;
  /** Milliseconds after which an idle transaction is aborted, which frees its locks. */
  idleTransactionTimeout?: number;
  /** Whether commits return before the data is on disk, so that a crash may lose them. */
  asynchronousCommit?: boolean;
}

const MAX_CONNECT_MS = 15_000;

/** Connecting, waiting for a connection and running a statement have timeouts. */
export function createPool(databaseUrl: string, options: PoolOptions = {}): pg.Pool {
  const { max = 16, statementTimeout = 30_000 } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    // Callers that accept long statements also accept a slow connection.
    connectionTimeoutMillis: Math.min(statementTimeout, MAX_CONNECT_MS),
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeout,
    // A server that crashes without closing its sockets would block the caller.
    query_timeout: statementTimeout + 1_000,
    application_name: options.name ?? 'listings-api',
    keepAlive: true,
    ...(options.idleTransactionTimeout ? { idle_in_transaction_session_timeout: options.idleTransactionTimeout } : {}),
    // Always set, so that the server's default does not decide.
    options: `-c synchronous_commit=${options.asynchronousCommit ? 'off' : 'on'}`,
  });
  // An idle connection may break at any time; the next query opens another.
  pool.on('error', () => {});
  // The running statement fails. Without a listener, the error event would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  return pool;
}

export async function withPool<T>(
  databaseUrl: string,
  options: PoolOptions,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  const pool = createPool(databaseUrl, options);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

export async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  // Without a listener, the error event of a broken connection would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

type Writable = 'ok' | 'read_only' | 'unavailable';

/**
 * `read_only` means a standby or a read-only session. The probe assigns a transaction id, and writes no row, so it does
 * not wait for the disk. A server with a full disk stops.
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
