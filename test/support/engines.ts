import pg from 'pg';
import { testEnv } from './env.ts';

/** Set by `npm test`: a migrated database without connections, from which others are copied. */
export const TEMPLATE_VARIABLE = 'TEST_TEMPLATE_DATABASE';

/**
 * Creates a migrated database for a test file that needs more than an organization. The run drops it at its end.
 * @returns its URL
 */
export async function createDatabase(name: string): Promise<string> {
  const url = new URL(testEnv().DATABASE_URL);
  const database = `${url.pathname.slice(1)}_${name}`.toLowerCase().replace(/[^a-z0-9_]/g, '_');
  const template = process.env[TEMPLATE_VARIABLE];
  await copyDatabase(url.href, database, template);
  url.pathname = `/${database}`;
  // The migration code is slow to load, and few runs have no template.
  if (!template) await (await import('#postgres/migrate.ts')).migrate(url.href);
  return url.href;
}

/**
 * Creates a database on the server of `serverUrl`, as a copy of `template` or empty, replacing one of this name. Connections
 * to the template are closed, because Postgres copies no database in use.
 */
export async function copyDatabase(serverUrl: string, database: string, template = 'template0'): Promise<void> {
  await onServer(serverUrl, async (client) => {
    await client.query(`drop database if exists ${pg.escapeIdentifier(database)} with (force)`);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [template]);
    const names = [database, template].map((name) => pg.escapeIdentifier(name));
    // Copying files takes a fifth of the work of writing every page to the log, which is the default.
    await client.query(`create database ${names[0]} template ${names[1]} strategy file_copy`);
  });
}

/** Drops the databases whose name starts with a prefix. */
export async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  await onServer(serverUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of rows)
      await client.query(`drop database if exists ${pg.escapeIdentifier(datname)} with (force)`);
  });
}

async function onServer(serverUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const url = new URL(serverUrl);
  // A connection cannot copy or drop its own database.
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 10_000, query_timeout: 60_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
