import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { openServices } from '#app/open-services.ts';
import { createRequestPool, withClient } from '#stores/postgres/pool.ts';
import { isPostgresUnavailable } from '#stores/postgres/postgres-failures.ts';
import { requireSessions } from '#stores/postgres/sessions.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { startProcess } from '#test/api-process.ts';
import { copyDatabase, removeIndexes } from '#test/engines.ts';
import { testConfig, testEnv } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { type Neighbor, neighborsOf, startPgBouncer } from '#test/neighbors.ts';
import { testWhere } from '#test/present.ts';
import { startTcpProxy } from '#test/tcp-proxy.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { writeLandFeed } from '../../faults/land-feed.ts';

const APP = join(import.meta.dirname, '..', '..', '..', 'app');
const LIMIT_MS = 300_000;
const LISTINGS = 40;
const TRANSACTION = { pool_mode: 'transaction', default_pool_size: 20, max_client_conn: 500 };
const run = promisify(execFile);

/** An empty database, indexes and a feed. @returns the environment of its processes */
async function ownInstallation(t: ExecutionContext) {
  const name = `pooler_${randomBytes(4).toString('hex')}`;
  const dir = await temporaryFolder(t);
  await writeLandFeed(dir, LISTINGS);
  const url = new URL(testEnv().DATABASE_URL);
  url.pathname += `_${name}`;
  const direct = url.href;
  await copyDatabase(direct.replace(`_${name}`, ''), url.pathname.slice(1));
  const prefix = `${testConfig().opensearch.indexPrefix}${name}_`;
  t.teardown(() => removeIndexes(prefix));
  const env = { ...testEnv(), INDEX_PREFIX: prefix, FEEDS_DIR: dir, DATA_DIR: dir, LOG_LEVEL: 'error' };
  return { direct, env };
}

/** Starts a role that must be refused. @returns its output */
async function refused(role: string, env: NodeJS.ProcessEnv): Promise<string> {
  const started = run(process.execPath, [join(APP, 'main.ts'), role], { env: { ...process.env, ...env, PORT: '0' } });
  const { code, stdout, stderr } = (await started.then(
    () => ({ code: 0 }),
    (error: unknown) => error,
  )) as { code: number; stdout: string; stderr: string };
  return `${code}: ${stdout}${stderr}`;
}

const REFUSAL =
  /^1: \s*Postgres is reached through a connection pooler in transaction mode, .*DATABASE_DIRECT_URL.*\n\s*$/;

async function serveBehind(t: ExecutionContext, bouncer: Neighbor, settings: Record<string, string | number> = {}) {
  t.timeout(LIMIT_MS);
  const { direct, env: own } = await ownInstallation(t);
  const url = await startPgBouncer(t, bouncer, direct, { ...TRANSACTION, ...settings });
  t.regex(await refused('api', { ...own, DATABASE_URL: url }), REFUSAL);
  t.regex(await refused('api', { ...own, DATABASE_URL: url, DATABASE_DIRECT_URL: url }), REFUSAL);

  const env = { ...own, DATABASE_URL: url, DATABASE_DIRECT_URL: direct };
  const ingest = [join(APP, 'cli', 'cli.ts'), 'ingest', '--json'];
  const all = { ...process.env, ...env };
  const [api, worker] = [await startProcess('api', all, /^Serving /), await startProcess('worker', all, /^Ingesting /)];
  t.teardown(() => Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]));
  await run(process.execPath, ingest, { env: all });

  const { services, close } = await openServices(testConfig(env));
  t.teardown(close);
  const { id, key } = await createOrganization(services, { columns: { units_per_minute: 1_000_000 } });
  const admin = await createKey(services, id, { kind: 'admin' });
  const call = async (path: string, body?: object, more: Record<string, string> = {}) => {
    const bearer = path.startsWith('/organization') ? admin : key;
    const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json', ...more };
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${api.url}/v1${path}`, { headers, ...post, signal: AbortSignal.timeout(30_000) });
    return { status: response.status, body: await response.json() };
  };
  const count = () => call('/listings/count?city=riyadh&listing_type=sale');
  const counts = await Promise.all(Array.from({ length: 60 }, count));
  t.deepEqual([...new Set(counts.map(({ status, body }) => `${status} ${body.data.total}`))], [`200 ${LISTINGS}`]);

  const again = { 'Idempotency-Key': randomBytes(8).toString('hex') };
  const keys = await Promise.all([1, 2, 3].map(() => call('/organization/keys', { name: 'pooled' }, again)));
  t.is(new Set(keys.map(({ body }) => body.data?.id)).size, 1, JSON.stringify(keys));

  const created = await call('/exports', { dataset: 'listings', format: 'ndjson', filters: { city: 'riyadh' } });
  t.is(created.status, 201, JSON.stringify(created.body));
  const exported = async () => (await call(`/exports/${created.body.data.id}`)).body.data;
  await eventually(async () => !['queued', 'running'].includes((await exported()).status), 60_000, 250);
  t.like(await exported(), { status: 'completed', progress: { rows_written: LISTINGS, rows_total: LISTINGS } });

  // No state of a request remains in the sessions that other clients of the pooler receive.
  await withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
              (select count(*) from pg_prepared_statements) as prepared,
              (select count(*) from pg_locks l join pg_stat_activity a using (pid)
                where locktype = 'advisory' and a.datname = current_database() and a.application_name in ('listings-api', 'listings-api-charge')) as locks`,
    );
    t.deepEqual(rows, [{ statement: '0', lock: '0', prepared: 0, locks: 0 }]);
  });
  t.deepEqual(
    [...api.lines, ...worker.lines].filter((line) => /"level":(50|"error")/.test(line)),
    [],
  );
}

const found = neighborsOf('pgbouncer', '--version');
const before121 = found.find(({ version }) => version.startsWith('1.18.'));
const since121 = found.find(({ version }) => /^1\.(?:2[1-9]|[3-9]\d)/.test(version));

testWhere(before121 !== undefined)(
  'the service serves, ingests and exports behind PgBouncer 1.18 in transaction mode, and requires DATABASE_DIRECT_URL',
  (t) => serveBehind(t, before121 as Neighbor),
);

testWhere(since121 !== undefined)(
  'the service serves, ingests and exports behind a PgBouncer with prepared statements, as before 1.21',
  (t) => serveBehind(t, since121 as Neighbor, { max_prepared_statements: 100, server_round_robin: 1 }),
);

for (const bouncer of found) {
  testWhere(true)(
    `PgBouncer ${bouncer.version} in session mode needs no other variable, and statement mode is refused`,
    async (t) => {
      t.timeout(LIMIT_MS);
      const { direct, env } = await ownInstallation(t);
      const sessions = await startPgBouncer(t, bouncer, direct, { pool_mode: 'session', default_pool_size: 40 });
      await requireSessions(sessions);
      const api = await startProcess('api', { ...process.env, ...env, DATABASE_URL: sessions }, /^Serving /);
      t.is((await fetch(`${api.url}/readyz`)).status, 200);
      await api.end('SIGTERM');
      const statements = await startPgBouncer(t, bouncer, direct, { pool_mode: 'statement' });
      const output = await refused('api', { ...env, DATABASE_URL: statements, DATABASE_DIRECT_URL: direct });
      t.regex(output, /^1: \s*Postgres at 127\.0\.0\.1:\d+ cannot be used: .*statement pooling/);
    },
  );

  testWhere(true)(
    `while Postgres is unavailable behind PgBouncer ${bouncer.version}, requests fail as unavailable, then work again`,
    async (t) => {
      t.timeout(LIMIT_MS);
      const server = await startTcpProxy(new URL(testEnv().DATABASE_URL));
      t.teardown(() => server.close());
      const settings = { ...TRANSACTION, default_pool_size: 1, query_wait_timeout: 1, server_login_retry: 1 };
      const poolerUrl = await startPgBouncer(t, bouncer, server.url, settings);
      const pool = createRequestPool({ databaseUrl: testEnv().DATABASE_URL, poolerUrl }, { statementTimeout: 10_000 });
      t.teardown(() => pool.end());
      const isFine = () =>
        pool.query('select 1').then(
          () => true,
          (error: unknown) => error,
        );
      t.is(await isFine(), true);
      // Another client holds the only connection.
      await inTransaction(pool, async (db) => {
        await db.query('select 1');
        const waiting = await t.throwsAsync(inTransaction(pool, (other) => other.query('select 1')));
        t.true(isPostgresUnavailable(waiting), String(waiting));
      });
      await server.set('refuse');
      for (let times = 0; times < 3; times++) {
        const failure = await isFine();
        t.true(isPostgresUnavailable(failure), `${(failure as { code?: string }).code} ${String(failure)}`);
      }
      await server.set('pass');
      await eventually(async () => (await isFine()) === true);
    },
  );
}
