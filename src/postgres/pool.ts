import pg from 'pg';

// bigint columns hold ids and counts far below 2^53; as numbers they go out as the spec's integers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PoolOptions {
  max?: number;
  /** Milliseconds until a statement is given up. */
  statementTimeout?: number;
  name?: string;
  /** Milliseconds a transaction may sit idle: a client that vanished must not hold its locks. */
  idleTransactionTimeout?: number;
  /** Commits return before the disk has them: for counts whose last moments a crash may forget. */
  asynchronousCommit?: boolean;
}

/** A pool whose every wait has a limit: connecting, queueing for a connection, and the statement itself. */
export function createPool(databaseUrl: string, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: options.max ?? 16,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeout ?? 5_000,
    // A server that died without closing its sockets would otherwise hold the caller for ever.
    query_timeout: (options.statementTimeout ?? 5_000) + 1_000,
    application_name: options.name ?? 'listings-api',
    keepAlive: true,
    ...(options.idleTransactionTimeout ? { idle_in_transaction_session_timeout: options.idleTransactionTimeout } : {}),
    // Said either way: whether a commit waits is for the code that commits to say, not for the server's default.
    options: `-c synchronous_commit=${options.asynchronousCommit ? 'off' : 'on'}`,
  });
  // An idle connection may break at any time; the next query gets a new one or a clear error.
  pool.on('error', () => {});
  // One that breaks inside a transaction fails the statement under way; unheard, its event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
