import test from 'ava';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { Problem } from '#embedded/problem.ts';
import { type Migration, migrate, recordContract, releaseVersion } from '#postgres/migrate.ts';
import { SchemaVersionError } from '#postgres/schema-version.ts';
import { prepareStores } from '#start/stores.ts';
import { copyDatabase } from '#test/engines.ts';
import { testConfig, testEnv } from '#test/env.ts';

/** An empty database of the test's own. */
async function emptyDatabase(name: string): Promise<string> {
  const url = new URL(testEnv().DATABASE_URL);
  url.pathname = `${url.pathname}_${name}`;
  await copyDatabase(url.href, url.pathname.slice(1));
  return url.href;
}

test('processes that start together migrate once', async (t) => {
  const url = await emptyDatabase('migrate_together');
  const done = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  t.is(done.filter((names) => names.length > 0).length, 1);
  t.deepEqual(await migrate(url), []);
});

test('a lock that a killed process left behind is no lock', async (t) => {
  const url = await emptyDatabase('migrate_killed');
  await migrate(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('update knex_migrations_lock set is_locked = 1');
  await client.end();
  t.deepEqual(await migrate(url), []);
});

/** The newest migration of a later release, applied by it. */
async function migrateLater(url: string, name: string, contract: boolean): Promise<Knex> {
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  const later: Migration = {
    contract,
    up: (trx) => trx.raw('create table later (id integer)'),
    down: (trx) => trx.raw('drop table later'),
  };
  const migrationSource: Knex.MigrationSource<string> = {
    getMigrations: async () => [name],
    getMigrationName: (one) => one,
    getMigration: async (one) => recordContract(one, later),
  };
  await db.migrate.latest({ migrationSource, disableMigrationsListValidation: true });
  return db;
}

test('a release starts on a newer database until its contract step, and is then refused with both versions', async (t) => {
  const url = await emptyDatabase('migrate_newer');
  await migrate(url);
  const prepare = () => prepareStores(testConfig({ DATABASE_URL: url }));
  await (await migrateLater(url, '9001_expand.ts', false)).destroy();
  t.deepEqual(await migrate(url), []);
  await t.notThrowsAsync(prepare);

  const later = await migrateLater(url, '9002_contract.ts', true).catch(() => null);
  t.is(later, null, 'the table is there already: the migration fails');
  await t.notThrowsAsync(prepare, 'a contract step that failed is not recorded');

  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('drop table later');
  await (await migrateLater(url, '9002_contract.ts', true)).destroy();
  const own = await releaseVersion();
  const message = new RegExp(
    `^The database has schema version 9002 and requires .* 9002 or newer, but .* has ${own}: [^.]+\\.$`,
  );
  await t.throwsAsync(migrate(url), { instanceOf: SchemaVersionError, message });
  await t.throwsAsync(prepare, { instanceOf: Problem, message });
});

test('a contract step that is taken back no longer refuses earlier releases', async (t) => {
  const url = await emptyDatabase('migrate_back');
  await migrate(url);
  const name = '9003_contract.ts';
  const db = await migrateLater(url, name, true);
  await t.throwsAsync(migrate(url), { instanceOf: SchemaVersionError });
  const step = recordContract(name, { contract: true, up: async () => {}, down: async () => {} });
  await step.down(db);
  await db.destroy();
  t.deepEqual(await migrate(url), []);
});
