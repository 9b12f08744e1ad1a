import pg from 'pg';

// bigint columns hold ids and counts far below 2^53; they are served as JSON integers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PoolOptions {
  max?: number;
  /** Milliseconds until a statement is canceled. */
  statementTimeout?: number;
  name?: string;
  /** Milliseconds that a transaction may be idle: a client that vanished must not keep its locks. */
  idleTransactionTimeout?: number;
  /** Commits do not wait for the disk: for counts whose last moments may be lost in a crash. */
  asynchronousCommit?: boolean;
}

/** Milliseconds. */
const LONGEST_CONNECT = 15_000;

/** A pool whose every wait has a limit: connecting, queueing for a connection, and the statement itself. */
export function createPool(databaseUrl: string, options: PoolOptions = {}): pg.Pool {
  const { max = 16, statementTimeout = 30_000 } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    // Who can wait for a long statement can wait for a busy server to connect.
    connectionTimeoutMillis: Math.min(statementTimeout, LONGEST_CONNECT),
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeout,
    // A server that crashed without closing its sockets would block the caller forever.
    query_timeout: statementTimeout + 1_000,
    application_name: options.name ?? 'listings-api',
    keepAlive: true,
    ...(options.idleTransactionTimeout ? { idle_in_transaction_session_timeout: options.idleTransactionTimeout } : {}),
    // Always set: the code decides whether a commit waits, not the server's default.
    options: `-c synchronous_commit=${options.asynchronousCommit ? 'off' : 'on'}`,
  });
  // An idle connection may break at any time; the next query gets a new one or a clear error.
  pool.on('error', () => {});
  // A connection that breaks in a transaction fails the running statement. Without a listener, its event would end the
  // process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
