import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { messageOf } from '#domain/message-of.ts';
import { isUnavailable } from '#domain/store-error.ts';
import { Problem } from '#embedded/problem.ts';
import { postgresFailure } from '#postgres/failures.ts';
import { withClient } from '#postgres/pool.ts';
import * as sql from '#postgres/rows.ts';
import type { Config } from '#src/config.ts';

interface Needed {
  name: string;
  /** Address of the server, without credentials. */
  where: string;
  variable: string;
  /** @throws Waiting while unreachable or starting */
  check(): Promise<void>;
}

/** Thrown if a server is unavailable but may become available. */
class Waiting extends Error {}

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
 * Waits for the servers, because processes may be started in any order.
 * @throws Problem if a server does not respond, or rejects the credentials
 */
export async function waitForStores(config: Config, options: WaitOptions): Promise<void> {
  const waits = [
    waitFor(postgres(config.databaseUrl), options),
    waitFor(openSearch(config.opensearch.urls, `${config.opensearch.indexPrefix}listings`), options),
  ];
  await Promise.all(waits);
}

async function waitFor({ name, where, variable, check }: Needed, options: WaitOptions): Promise<void> {
  const { say, signal, limit = WAIT_LIMIT } = options;
  const begun = performance.now();
  let said = false;
  for (;;) {
    signal.throwIfAborted();
    try {
      await check();
      if (said) say(`${name} answers.`);
      return;
    } catch (error) {
      const reason = messageOf(error);
      if (!(error instanceof Waiting)) throw new Problem(`${name} at ${where} cannot be used: ${reason}`);
      if (performance.now() - begun > limit)
        throw new Problem(`${name} at ${where} did not respond within ${limit / 1_000} s: ${reason}`, [
          `Start it, or set ${variable} to where it is.`,
        ]);
      if (!said) say(`Waiting for ${name} at ${where} (${reason}), at most ${limit / 1_000} s ...`);
      said = true;
    }
    await sleep(CHECK_INTERVAL_MS, undefined, { signal });
  }
}

const READ_ONLY = { transaction_read_only: sql.text };

function postgres(url: string): Needed {
  return {
    name: 'Postgres',
    where: URL.parse(url)?.host ?? 'its socket',
    variable: 'DATABASE_URL',
    async check() {
      const connection = { connectionString: url, connectionTimeoutMillis: CHECK_TIMEOUT_MS };
      const readOnly = await withClient(connection, async (client) => {
        const { transaction_read_only: state } = await sql.queryOne(client, READ_ONLY, 'show transaction_read_only');
        return state === 'on';
      }).catch((error: unknown) => {
        throw postgresFailure(error).unavailable ? new Waiting(explain(error)) : error;
      });
      // A standby, or a server that pauses at its recovery target, cannot migrate.
      if (readOnly) throw new Waiting('it is read-only: promote it, or use the primary');
    },
  };
}

function openSearch(urls: readonly string[], listings: string): Needed {
  /** Checks that the primary shards of listings indexes are available. A new cluster has none yet. */
  const check = async (url: string): Promise<void> => {
    const { origin, pathname, username, password } = new URL(url);
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    const path = `${pathname.replace(/\/+$/, '')}/_cluster/health/${listings}*?wait_for_status=yellow&timeout=1s`;
    const { statusCode, body } = await request(`${origin}${path}`, {
      headers: username ? { authorization: `Basic ${credentials.toString('base64')}` } : {},
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    });
    await body.dump();
    if (statusCode === 401 || statusCode === 403) throw new Error(`it returns ${statusCode} for these credentials`);
    if (statusCode !== 200) throw new Waiting(`it is starting, and returns ${statusCode}`);
  };
  return {
    name: 'OpenSearch',
    where: urls.map((url) => new URL(url).host).join(', '),
    variable: 'OPENSEARCH_URL',
    async check() {
      const looks = await Promise.allSettled(urls.map(check));
      const failures = looks.flatMap((look) => (look.status === 'rejected' ? [look.reason as Error] : []));
      if (failures.length < looks.length) return;
      const [first] = failures;
      const mayCome = first instanceof Waiting || first?.name === 'TimeoutError' || isUnavailable(first);
      throw mayCome ? new Waiting(explain(first)) : first;
    },
  };
}

/** The `AggregateError` of several addresses has no message. */
function explain(error: unknown): string {
  if (error instanceof AggregateError) return explain(error.errors[0]);
  return messageOf(error);
}
