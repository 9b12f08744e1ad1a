import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { LOCKS, releaseLock, takeLock, tryLock } from '#postgres/locks.ts';
import { createDatabase } from '#test/engines.ts';
import { test } from '#test/test.ts';

let url: string;
test.before(async () => {
  url = await createDatabase('locks');
});

async function connect(t: ExecutionContext): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  return client;
}

test('every lock has unique numbers, which are the same as in earlier releases', async (t) => {
  const holder = await connect(t);
  const other = await connect(t);
  const all = [LOCKS.migrations, LOCKS.job('a'), LOCKS.job('b'), LOCKS.ingest];
  for (const lock of all) t.true(await tryLock(holder, lock));
  for (const lock of all) t.false(await tryLock(other, lock));
  const { rows } = await other.query(
    `select classid::int, objsubid, case when classid = 7301 then null else objid::int end as objid from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
      order by classid`,
  );
  t.deepEqual(rows, [
    { classid: 0, objsubid: 1, objid: 7_300 },
    { classid: 7_301, objsubid: 2, objid: null },
    { classid: 7_301, objsubid: 2, objid: null },
    { classid: 7_451, objsubid: 2, objid: 1 },
  ]);
  for (const lock of all) await releaseLock(holder, lock);
  for (const lock of all) t.true(await tryLock(other, lock));
});

test('a waiting process gets the lock when the holder releases it or ends, and otherwise times out', async (t) => {
  const holder = await connect(t);
  const other = await connect(t);
  const lock = LOCKS.job('waited-for');
  t.true(await tryLock(holder, lock));
  t.false(await takeLock(other, lock, 150));
  const first = takeLock(other, lock, 20_000);
  await releaseLock(holder, lock);
  t.true(await first);
  const second = takeLock(holder, lock, 20_000);
  await other.end();
  t.true(await second);
});
