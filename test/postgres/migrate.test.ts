import test from 'ava';
import pg from 'pg';
import { migrate } from '#postgres/migrate.ts';
import { copyDatabase } from '#test/engines.ts';
import { testEnv } from '#test/env.ts';

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
