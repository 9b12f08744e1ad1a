import pg from 'pg';

// bigint columns contain ids and counts far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PoolOptions {
  max?: number;
  /** Milliseconds. */
  statementTimeout?: number;
  name?: string;
  /** Milliseconds; an unresponsive client then keeps no locks. */
  idleTransactionTimeout?: number;
  /** Whether commits precede the disk, for counts whose latest changes a crash may lose. */
  asynchronousCommit?: boolean;
}

const MAX_CONNECT_MS = 15_000;

/** Connecting, waiting and running have timeouts. */
export function createPool(databaseUrl: string, options: PoolOptions = {}): pg.Pool {
  const { max = 16, statementTimeout = 30_000 } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    // Callers that accept long statements also accept a slow connection.
    connectionTimeoutMillis: Math.min(statementTimeout, MAX_CONNECT_MS),
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeout,
    // A server that crashes without closing its sockets would block the caller indefinitely.
    query_timeout: statementTimeout + 1_000,
    application_name: options.name ?? 'listings-api',
    keepAlive: true,
    ...(options.idleTransactionTimeout ? { idle_in_transaction_session_timeout: options.idleTransactionTimeout } : {}),
    // Always set, so that the server's default does not decide.
    options: `-c synchronous_commit=${options.asynchronousCommit ? 'off' : 'on'}`,
  });
  // An idle connection may break at any time; the next query opens another.
  pool.on('error', () => {});
  // A connection that breaks in a transaction fails the statement. Without a listener, it would end the process.
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
  // As for a pool.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
