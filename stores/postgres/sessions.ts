import type pg from 'pg';
import { withClient } from './pool.ts';
import { integer, queryOne } from './rows.ts';

/** The message contains the remedy. */
export class SharedSessionError extends Error {
  override name = 'SharedSessionError';
}

const TIMEOUT_MS = 10_000;

/**
 * Checks that a connection keeps its server process, which session locks and migrations rely on.
 * @throws SharedSessionError behind a pooler in transaction mode
 */
export async function requireSessions(connectionString: string): Promise<void> {
  const config = { connectionString, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS };
  const kept = await withClient(config, (one) =>
    withClient(config, async (other) => {
      // A pooler serves both with the same process, or the second statement of one of them with another process.
      const first = await processOf(one);
      const second = await processOf(other);
      return first !== second && (await processOf(other)) === second && (await processOf(one)) === first;
    }),
  );
  if (kept) return;
  throw new SharedSessionError(
    'Postgres is reached through a connection pooler in transaction mode, which migrations, locks and workers cannot use: set DATABASE_DIRECT_URL to Postgres itself or to a pooler in session mode, and leave the pooler in DATABASE_URL for requests.',
  );
}

const processOf = async (client: pg.Client): Promise<number> =>
  (await queryOne(client, { pid: integer }, 'select pg_backend_pid() as pid')).pid;
