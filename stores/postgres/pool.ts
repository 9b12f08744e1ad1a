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
  /** Milliseconds after which a statement that waits for a lock fails with `55P03`. */
  lockTimeout?: number;
  /** Whether commits return before the data is on disk, so that a crash may lose them. */
  asynchronousCommit?: boolean;
}

const MAX_CONNECT_MS = 15_000;

declare const SESSION: unique symbol;
/** A pool whose connections keep their session: the only kind that may hold session locks, settings and temporary tables. */
export type SessionPool = pg.Pool & { readonly [SESSION]: true };

/** Connecting, waiting for a connection and running a statement have timeouts. */
export function createPool(databaseUrl: string, options: PoolOptions = {}): SessionPool {
  const set = `set ${settingsOf(options).join('; set ')}`;
  return openPool(databaseUrl, options, { onConnect: (client) => client.query(set) }) as SessionPool;
}

/**
 * A pool for requests. Behind a pooler in transaction mode, consecutive transactions run in different sessions: settings
 * apply to a transaction, a single statement is one too, and statements are not prepared.
 */
export function createRequestPool({ databaseUrl, poolerUrl }: DatabaseUrls, options: PoolOptions): pg.Pool {
  if (poolerUrl === null) return createPool(databaseUrl, options);
  const begin = `begin; set local ${settingsOf(options).join('; set local ')}`;
  // A transaction of one statement takes one round trip.
  const pool = openPool(poolerUrl, options, { pipeline: true });
  pool.on('connect', (client) => useTransactions(client, begin));
  return pool;
}

export interface DatabaseUrls {
  /** Address of Postgres itself, or of a pooler that keeps sessions. */
  databaseUrl: string;
  /** Address of a pooler for requests; null for none. */
  poolerUrl: string | null;
}

/** Always all of them, so that the server's defaults do not decide. Poolers refuse or drop them in a startup message. */
function settingsOf(options: PoolOptions): string[] {
  return [
    `statement_timeout = ${statementTimeoutOf(options)}`,
    `idle_in_transaction_session_timeout = ${options.idleTransactionTimeout ?? 0}`,
    `lock_timeout = ${options.lockTimeout ?? 0}`,
    `synchronous_commit = ${options.asynchronousCommit ? 'off' : 'on'}`,
  ];
}

const statementTimeoutOf = ({ statementTimeout = 30_000 }: PoolOptions): number => Math.round(statementTimeout);

type Send = (statement: pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>;
type Callback = (error: unknown, result?: pg.QueryResult) => void;

/** Replaces `query`, which callers use with a promise, and `pg.Pool` with a callback. */
function useTransactions(client: pg.PoolClient, begin: string): void {
  const send: Send = client.query.bind(client);
  const run = async (statement: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
    const { name: _, ...unnamed } = typeof statement === 'string' ? { text: statement } : statement;
    if (unnamed.text === 'begin') return send({ ...unnamed, text: begin });
    // Null before the first statement.
    if (/[TE]/.test(client.getTransactionStatus() ?? '')) return send(unnamed, values);
    const sent = [send({ text: begin }), send(unnamed, values), send({ text: 'commit' })] as const;
    // All have ended before the connection is used again. The commit of a failed statement rolls it back.
    await Promise.allSettled(sent);
    const [, result] = await Promise.all(sent);
    return result;
  };
  const query = (statement: string | pg.QueryConfig, values?: unknown[], callback?: Callback) => {
    const result = run(statement, values);
    if (!callback) return result;
    result.then((rows) => callback(null, rows), callback);
    return undefined;
  };
  client.query = query as typeof client.query;
}

function openPool(url: string, options: PoolOptions, more: pg.PoolConfig): pg.Pool {
  const statementTimeout = statementTimeoutOf(options);
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 16,
    // Callers that accept long statements also accept a slow connection.
    connectionTimeoutMillis: Math.min(statementTimeout, MAX_CONNECT_MS),
    idleTimeoutMillis: 60_000,
    // A server that crashes without closing its sockets would block the caller.
    query_timeout: statementTimeout + 1_000,
    application_name: options.name ?? 'listings-api',
    keepAlive: true,
    ...more,
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
  work: (pool: SessionPool) => Promise<T>,
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
