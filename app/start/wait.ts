import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#domain/message-of.ts';
import { Problem } from '#domain/process/problem.ts';
import type { Config } from '#src/config.ts';
import { openSearchFailure, withOpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { withClient } from '#stores/postgres/pool.ts';
import { postgresFailure } from '#stores/postgres/postgres-failures.ts';
import * as sql from '#stores/postgres/rows.ts';

interface Dependency {
  name: string;
  /** Address of the server, without credentials. */
  where: string;
  variable: string;
  /** @returns why the server is unavailable but may become available; null if it is available */
  check(): Promise<string | null>;
}

/** Milliseconds between checks, and timeout of each. */
const CHECK_INTERVAL_MS = 500;
const CHECK_TIMEOUT_MS = 5_000;
const WAIT_LIMIT = 180_000;

export interface WaitOptions {
  say(line: string): void;
  signal: AbortSignal;
  limit?: number;
}

/**
 * Processes may be started in any order.
 * @throws Problem if a server does not respond, or rejects the credentials
 */
export async function waitForStores(config: Config, options: WaitOptions): Promise<void> {
  const { databaseUrl, poolerUrl, opensearch } = config;
  const direct = postgres(databaseUrl, poolerUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL');
  const pooler = poolerUrl === null ? [] : [postgres(poolerUrl, 'DATABASE_URL')];
  await Promise.all([direct, ...pooler, openSearch(opensearch)].map((each) => waitFor(each, options)));
}

async function waitFor({ name, where, variable, check }: Dependency, options: WaitOptions): Promise<void> {
  const { say, signal, limit = WAIT_LIMIT } = options;
  const begun = performance.now();
  for (let said = false; ; said = true) {
    signal.throwIfAborted();
    const reason = await check().catch((error: unknown) => {
      throw new Problem(`${name} at ${where} cannot be used: ${messageOf(error)}`);
    });
    if (reason === null) {
      if (said) say(`${name} answers.`);
      return;
    }
    if (performance.now() - begun > limit)
      throw new Problem(`${name} at ${where} did not respond within ${limit / 1_000} s: ${reason}`, [
        `Start it, or set ${variable} to where it is.`,
      ]);
    if (!said) say(`Waiting for ${name} at ${where} (${reason}), at most ${limit / 1_000} s ...`);
    await sleep(CHECK_INTERVAL_MS, undefined, { signal });
  }
}

const READ_ONLY = { transaction_read_only: sql.text };

function postgres(url: string, variable: string): Dependency {
  return {
    name: 'Postgres',
    where: URL.parse(url)?.host ?? 'its socket',
    variable,
    async check() {
      const connection = { connectionString: url, connectionTimeoutMillis: CHECK_TIMEOUT_MS };
      try {
        const { transaction_read_only: readOnly } = await withClient(connection, async (client) => {
          // A pooler in statement mode refuses it.
          await client.query('begin');
          return sql.queryOne(client, READ_ONLY, 'show transaction_read_only');
        });
        // A standby, or a server that pauses at its recovery target, cannot migrate.
        return readOnly === 'on' ? 'it is read-only: promote it, or use the primary' : null;
      } catch (error) {
        // PgBouncer reports its mode with the code of an unavailable server.
        const isPermanent = messageOf(error).includes('statement pooling mode');
        if (!isPermanent && postgresFailure(error).unavailable) return explain(error);
        throw error;
      }
    },
  };
}

function openSearch({ urls, indexPrefix }: Config['opensearch']): Dependency {
  return {
    name: 'OpenSearch',
    where: urls.map((url) => new URL(url).host).join(', '),
    variable: 'OPENSEARCH_URL',
    async check() {
      const options = { urls, requestTimeout: CHECK_TIMEOUT_MS, maxRetries: urls.length - 1 };
      const query = { wait_for_status: 'yellow', timeout: '1s' };
      try {
        // Primary shards of listings indexes must be available. A new cluster has none yet.
        await withOpenSearch(options, (client) =>
          client.send('GET', `/_cluster/health/${indexPrefix}listings*`, { query }),
        );
        return null;
      } catch (error) {
        const { statusCode: status } = error as { statusCode?: number };
        if (status === 401 || status === 403) throw new Error(`it returns ${status} for these credentials`);
        if (status !== undefined) return `it is starting, and returns ${status}`;
        if (openSearchFailure(error).unavailable) return explain(error);
        throw error;
      }
    },
  };
}

/** The `AggregateError` of several addresses has no message. */
function explain(error: unknown): string {
  if (error instanceof AggregateError) return explain(error.errors[0]);
  return messageOf(error);
}
