import pg from 'pg';
import type { ServedIndex } from '#domain/index-state.ts';
import { compileScripts } from '#stores/opensearch/compile-scripts.ts';
import { createEmptyIndex } from '#stores/opensearch/fill.ts';
import { indexBehind } from '#stores/opensearch/indexes.ts';
import { type ListingIndex, openListingIndex } from '#stores/opensearch/listing-index/listing-index.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { testEnv } from './env.ts';

/**
 * Environment variable set by `npm test`. It names a migrated database without connections, from which other databases
 * are copied.
 */
export const TEMPLATE_VARIABLE = 'TEST_TEMPLATE_DATABASE';

/**
 * Creates a migrated database for a test file that requires more isolation than a separate organization. The database
 * is dropped at the end of the test run.
 * @returns the database URL
 */
export async function createDatabase(name: string): Promise<string> {
  const url = new URL(testEnv().DATABASE_URL);
  const database = `${url.pathname.slice(1)}_${name}`.toLowerCase().replace(/[^a-z0-9_]/g, '_');
  const template = process.env[TEMPLATE_VARIABLE];
  await copyDatabase(url.href, database, template);
  url.pathname = `/${database}`;
  // Imported dynamically, because the migration code is slow to load and few runs have no template.
  if (!template) {
    const { migrate } = await import('#stores/postgres/migrate.ts');
    const { CHARGE_FUNCTION } = await import('#src/metering/charge-function.ts');
    await migrate(url.href, CHARGE_FUNCTION);
  }
  return url.href;
}

/**
 * Creates a database on the server of `serverUrl`, as a copy of `template` or empty. Replaces an existing database with
 * the same name. Connections to the template are closed, because Postgres cannot copy a database that is in use.
 */
export async function copyDatabase(serverUrl: string, database: string, template = 'template0'): Promise<void> {
  await onServer(serverUrl, async (client) => {
    await client.query(`drop database if exists ${pg.escapeIdentifier(database)} with (force)`);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [template]);
    const names = [database, template].map((name) => pg.escapeIdentifier(name));
    // Copying files takes a fifth of the time of the default strategy, which writes every page to the log.
    await client.query(`create database ${names[0]} template ${names[1]} strategy file_copy`);
  });
}

/** As `copyDatabase`, of a database that other processes use: they cannot connect meanwhile. */
export async function copyUsedDatabase(serverUrl: string, database: string, template: string): Promise<void> {
  const setConnections = (allowed: boolean): Promise<void> =>
    onServer(serverUrl, async (client) => {
      await client.query(`alter database ${pg.escapeIdentifier(template)} allow_connections ${allowed}`);
    });
  await setConnections(false);
  await copyDatabase(serverUrl, database, template).finally(() => setConnections(true));
}

/** Drops all databases whose names start with a prefix. */
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

/**
 * Creates the listings index of a client, and those of the others that `names` lists. All of them take four times as
 * long, and few tests use them; an ingest run creates those that it fills.
 */
export async function prepareOwnIndexes(client: OpenSearch, names: readonly ServedIndex[] = []): Promise<ListingIndex> {
  for (const name of new Set<ServedIndex>(['listings', ...names]))
    if ((await indexBehind(client, client.aliases[name])) === null)
      await createEmptyIndex(client, name, async () => {});
  await compileScripts(client);
  return openListingIndex(client);
}

/**
 * Deletes the indexes and index templates whose names start with a prefix. Both contain the analyzers, about 300 KB per prefix of
 * the cluster state: left behind, those of a whole run fill the heap of the engine.
 */
export async function removeIndexes(prefix: string, urls = testEnv().OPENSEARCH_URL): Promise<void> {
  const send = async (path: string, method = 'GET'): Promise<string> => {
    const response = await fetch(`${urls.split(',')[0]}/${path}`, { method, signal: AbortSignal.timeout(60_000) });
    const text = await response.text();
    if (!response.ok && response.status !== 404) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
  // By name, because servers may refuse wildcards.
  const names = (await send(`_cat/indices/${prefix}*?h=index`)).split('\n').filter((name) => name.startsWith(prefix));
  if (names.length > 0) await send(names.join(','), 'DELETE');
  // Few prefixes have templates, and even a deletion without effect waits for all pending changes of the cluster state.
  const templates = await send(`_index_template/${prefix}*?filter_path=index_templates.name`);
  if (templates.includes(prefix)) await send(`_index_template/${prefix}*`, 'DELETE');
}

async function onServer(serverUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const url = new URL(serverUrl);
  // A connection cannot copy or drop its own database, so another one is used.
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
