import { readdir, readFile } from 'node:fs/promises';
import type { ExecutionContext } from 'ava';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { prepareStores } from '#app/start/stores.ts';
import { Problem } from '#domain/process/problem.ts';
import {
  type Migration,
  migrate,
  recordContract,
  releaseVersion,
  SchemaVersionError,
} from '#stores/postgres/migrate.ts';
import { withClient } from '#stores/postgres/pool.ts';
import { copyDatabase } from '#test/engines.ts';
import { testConfig, testEnv } from '#test/env.ts';
import { test } from '#test/test.ts';

async function connect(t: ExecutionContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  return client;
}

/** Creates an empty database for a single test. */
async function emptyDatabase(name: string): Promise<string> {
  const url = new URL(testEnv().DATABASE_URL);
  url.pathname = `${url.pathname}_${name}`;
  await copyDatabase(url.href, url.pathname.slice(1));
  return url.href;
}

test('if processes start at the same time, each migration is applied once, also after one was killed', async (t) => {
  const url = await emptyDatabase('migrate_together');
  const done = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  t.is(done.filter((names) => names.length > 0).length, 1);
  // Simulates a killed process, which leaves the lock.
  await withClient({ connectionString: url }, (client) =>
    client.query('update knex_migrations_lock set is_locked = 1'),
  );
  t.deepEqual(await migrate(url), []);
});

/** Applies an additional migration, as a later release would. */
async function migrateLater(url: string, name: string, contract: boolean): Promise<void> {
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  const later: Migration = { contract, up: (trx) => trx.raw('create table later (id integer)') };
  const migrationSource: Knex.MigrationSource<string> = {
    getMigrations: async () => [name],
    getMigrationName: (one) => one,
    getMigration: async (one) => recordContract(one, later),
  };
  try {
    await db.migrate.latest({ migrationSource, disableMigrationsListValidation: true });
  } finally {
    await db.destroy();
  }
}

test('a release starts on a newer database until a contract step is applied, and then fails with an error that names both versions', async (t) => {
  const url = await emptyDatabase('migrate_newer');
  await migrate(url);
  const prepare = () => prepareStores(testConfig({ DATABASE_URL: url }));
  await migrateLater(url, '9001_expand.ts', false);
  t.deepEqual(await migrate(url), []);
  await t.notThrowsAsync(prepare);

  await t.throwsAsync(migrateLater(url, '9002_contract.ts', true), { message: /"later" already exists/ });
  await t.notThrowsAsync(prepare, 'a failed contract step is not recorded');

  const client = await connect(t, url);
  await client.query('drop table later');
  await migrateLater(url, '9002_contract.ts', true);
  const own = await releaseVersion();
  const message = new RegExp(
    `^The database has schema version 9002 and requires .* 9002 or newer, but .* has ${own}: [^.]+\\.$`,
  );
  await t.throwsAsync(migrate(url), { instanceOf: SchemaVersionError, message });
  await t.throwsAsync(prepare, { instanceOf: Problem, message });
});

test('a database of a release before the baseline is refused before any change, with an error that names the remedy', async (t) => {
  const url = await emptyDatabase('migrate_superseded');
  const client = await connect(t, url);
  await client.query('create table knex_migrations (id serial primary key, name text)');
  await client.query(`insert into knex_migrations (name) values ('0001_accounts.ts'), ('0074_posted_prices.ts')`);
  const message =
    /^The database has the migration 0001_accounts\.ts of a release that .*: use an empty database [^.]+\.$/;
  await t.throwsAsync(migrate(url), { instanceOf: SchemaVersionError, message });
  await t.throwsAsync(prepareStores(testConfig({ DATABASE_URL: url })), { instanceOf: Problem, message });
  const { rows } = await client.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  t.deepEqual(rows, [{ relname: 'knex_migrations' }]);
});

test('functions are recreated when their text changes, but functions of a newer release are not replaced', async (t) => {
  const url = await emptyDatabase('migrate_functions');
  await migrate(url);
  const client = await connect(t, url);
  const own = await releaseVersion();
  const replace = async (release: number): Promise<boolean> => {
    // Postgres has an unrelated function of this name.
    const { rows: own } = await client.query<{ name: string }>(
      `select oid::regprocedure as name from pg_proc where proname = 'charge' and pronargs > 2`,
    );
    await client.query(`drop function ${own[0]?.name}`);
    await client.query(`update schema_functions set release = $1, checksum = 'another'`, [release]);
    t.deepEqual(await migrate(url), []);
    const { rows } = await client.query(`select from pg_proc where proname = 'charge' and pronargs > 2`);
    return rows.length === 1;
  };
  t.true(await replace(own - 1));
  t.true(await replace(own));
  t.false(await replace(own + 1));
});

/** Dumps of databases of earlier releases, named by their schema version. */
const RELEASES = new URL('releases/', import.meta.url);

test('a database of each release is migrated to the schema of a new database, and keeps its rows', async (t) => {
  const fresh = await emptyDatabase('migrate_fresh');
  await migrate(fresh);
  const expected = await withClient({ connectionString: fresh }, readCatalog);
  for (const file of await readdir(RELEASES)) {
    const url = await emptyDatabase(`migrate_from_${file.replace('.sql', '')}`);
    const dump = await readFile(new URL(file, RELEASES), 'utf8');
    // Lines with a backslash are commands of `psql`.
    await withClient({ connectionString: url }, (client) => client.query(dump.replaceAll(/^\\.*$/gm, '')));
    const client = await connect(t, url);
    const columns = await columnsOfTables(client);
    const before = await readTables(client, columns);
    t.true((before.get('listings') ?? []).length > 0, file);
    await migrate(url);
    t.deepEqual(await readCatalog(client), expected, file);
    for (const [table, rows] of await readTables(client, columns)) t.deepEqual(rows, before.get(table), table);
  }
});

/** Partitions depend on the month in which they were created. */
const RELATIONS = `select oid, relname, relkind, reloptions from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`;

/** Returns the definitions of all objects in the schema, one string each. */
async function readCatalog(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ object: string }>(`
    with relations as (${RELATIONS}), objects as (
      select relname, relkind::text, reloptions::text, obj_description(oid, 'pg_class') as definition from relations
      union all
      select relname, attname, concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attgenerated, pg_get_expr(adbin, adrelid)),
             col_description(attrelid, attnum)
        from relations join pg_attribute on attrelid = relations.oid and attnum > 0 and not attisdropped
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      union all
      select relname, conname, pg_get_constraintdef(c.oid), '' from relations join pg_constraint c on conrelid = relations.oid
      union all
      select relname, 'index', pg_get_indexdef(indexrelid), '' from relations join pg_index on indrelid = relations.oid
      union all
      select relname, tgname, pg_get_triggerdef(t.oid), '' from relations join pg_trigger t on tgrelid = relations.oid and not tgisinternal
      union all
      select relname, 'view', pg_get_viewdef(oid), '' from relations where relkind = 'v'
      union all
      select proname, 'function', pg_get_functiondef(oid), obj_description(oid, 'pg_proc') from pg_proc
       where pronamespace = 'public'::regnamespace
    )
    select objects::text as object from objects order by 1`);
  return rows.map(({ object }) => object);
}

/** Returns the columns of all tables, except those of Knex and of the functions, which migrations change. */
async function columnsOfTables(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ relname: string; columns: string }>(`
    select relname, string_agg(format('t.%I', attname), ', ' order by attnum) as columns
      from (${RELATIONS}) relations join pg_attribute on attrelid = relations.oid and attnum > 0 and not attisdropped
     where relkind <> 'v' and not starts_with(relname, 'knex_') and relname <> 'schema_functions'
     group by relname`);
  return new Map(rows.map(({ relname, columns }) => [relname, columns]));
}

/** Returns the rows of tables as text, in a fixed order. */
async function readTables(client: pg.ClientBase, tables: ReadonlyMap<string, string>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const [table, columns] of tables) {
    const { rows } = await client.query<{ row: string }>(
      `select row(${columns})::text as row from public.${table} t order by 1`,
    );
    found.set(
      table,
      rows.map(({ row }) => row),
    );
  }
  return found;
}
