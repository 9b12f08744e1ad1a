import { existsSync } from 'node:fs';
import { appendFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type pg from 'pg';
import { recordRemoval } from '#accounts/removals.ts';
import { listObjects } from '#backup/objects.ts';
import { withObjects } from '#backup/stores.ts';
import { verifyBackup } from '#backup/verify.ts';
import { type Engines, startEngines } from '#embedded/engines.ts';
import { migrate } from '#postgres/migrate.ts';
import { createPool } from '#postgres/pool.ts';
import { cliOn, readTables } from '#test/backup.ts';
import { test } from '#test/serial.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';

// Backups do not include OpenSearch, so it is configured as an external server and not started.
const ENV = { OPENSEARCH_URL: 'http://127.0.0.1:1' };
const PHOTO = { Key: 'ab/photo.png', Body: 'a photo', ContentType: 'image/png', CacheControl: 'immutable' };

/** Runs `npm run cli -- backup` on a data folder. */
const backup = (dataDir: string, ...args: string[]) =>
  cliOn(dataDir, ['backup', ...args], { JOURNAL_DIR: journalOf(dataDir) });
/** The journal is on another disk than the data. */
const journalOf = (dataDir: string): string => join(dataDir, '..', 'journal');

/** Tables that a backup or the load changes. */
const CHANGED = ['api_keys', 'held_removals', 'load', 'job_runs', 'restores'];
const tablesOf = (pool: pg.Pool) => readTables(pool, (name) => !CHANGED.includes(name));

/** Commits one row after another until it is stopped. */
function startWriting(pool: pg.Pool): { committed(): number; stop(): Promise<void> } {
  let committed = 0;
  let isStopped = false;
  const done = (async () => {
    while (!isStopped) {
      await pool.query(`insert into load select $1, repeat('x', 2000)`, [committed + 1]);
      committed++;
    }
  })();
  return {
    committed: () => committed,
    stop: async () => {
      isStopped = true;
      await done;
    },
  };
}

test('a backup made under load restores every table and object after all data was lost', async (t) => {
  const folder = await temporaryFolder(t);
  const [dataDir, to, secrets] = ['data', 'backups', 'secrets.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  let engines: Engines = await startEngines({ dataDir, env: ENV, throwaway: true });
  t.teardown(() => engines.stop());
  const url = () => engines.env.DATABASE_URL as string;
  await migrate(url());
  await withObjects(engines.env, async ({ s3 }) => {
    await s3.send(new PutObjectCommand({ Bucket: 'cdn', ...PHOTO }));
    await s3.send(new PutObjectCommand({ Bucket: 'exports', Key: `${'long/'.repeat(60)}part.gz`, Body: 'gz' }));
  });
  await mkdir(journalOf(dataDir));
  const pool = createPool(url(), { max: 4 });
  await pool.query('create table load (id integer primary key, filler text)');
  await pool.query(`insert into organizations (public_id, name, plan) values ('org_a', 'Acme', 'growth')`);
  await pool.query(
    `insert into api_keys (public_id, organization_id, kind, name, hash, last_four)
     select 'key_a', id, 'live', 'backend', 'hash', '1234' from organizations`,
  );
  const tables = await tablesOf(pool);

  const writing = startWriting(pool);
  const before = writing.committed();
  const created = await backup(dataDir, 'create', '--to', to, '--secrets', secrets);
  const after = writing.committed();
  await writing.stop();
  t.is(created.code, 0, created.err);
  t.like(created.out, { s3_objects: 2, warnings: [], secrets });
  t.is((await stat(secrets)).mode & 0o777, 0o600);
  const dir = created.out.backup as string;
  for (const path of ['postgres/postmaster.pid', 'postgres/postgresql.auto.conf.tmp', 'secrets.json'])
    t.false(existsSync(join(dir, path)), path);
  const { rows: jobs } = await pool.query(`select due_at from job_runs where name = 'backup'`);
  t.is(jobs[0]?.due_at.toISOString(), created.out.restores_to);
  await pool.query('update api_keys set revoked_at = now()');
  await recordRemoval(journalOf(dataDir), 'key', 'key_a', (error) => t.fail(String(error)));
  await pool.end();

  const running = await backup(dataDir, 'restore', dir, '--replace');
  t.is(running.code, 1);
  t.regex(running.out.error, /^Already running/);
  await engines.stop();

  await rm(dataDir, { recursive: true });
  t.regex((await backup(dataDir, 'restore', dir)).out.error, /without the secrets of the backup no key works/);
  const restored = await backup(dataDir, 'restore', dir, '--secrets', secrets);
  t.is(restored.code, 0, JSON.stringify(restored));
  t.like(restored.out, { s3_objects: 2, earlier_data: null, held_removals: 1, restored_to: created.out.restores_to });
  t.regex(restored.out.event_epoch, /^[0-9a-f]{12}$/);

  engines = await startEngines({ dataDir, env: ENV, throwaway: true });
  const again = createPool(url(), { max: 1 });
  t.deepEqual(await tablesOf(again), tables);
  const { rows: held } = await again.query(
    'select k.revoked_at is not null as is_off from held_removals h join api_keys k using (public_id)',
  );
  t.deepEqual(held, [{ is_off: true }], 'a key that was revoked after the backup does not work');
  const { rows: load } = await again.query('select count(*)::int as count, max(id) as newest from load');
  t.is(load[0]?.count, load[0]?.newest, 'no commit is missing before the last one');
  t.true(load[0]?.newest >= before && load[0]?.newest <= after + 1);
  t.log(`${after} commits during the backup, ${load[0]?.newest} of them restored`);
  await again.end();
  const journal = join(journalOf(dataDir), 'removals.log');
  const review = await backup(dataDir, 'review', '--journal', journal);
  t.like(review.out[0], { kind: 'key', id: 'key_a', organization: 'Acme', name: 'backend' });
  t.deepEqual((await backup(dataDir, 'review', '--confirm', 'key_a')).out, []);
  t.deepEqual((await cliOn(dataDir, ['key', 'unseen'])).out, [], 'revoked keys are not listed');
  t.is((await backup(dataDir, 'record')).code, 0);
  await withObjects(engines.env, async (store) => {
    t.is((await listObjects(store)).length, 2);
    const photo = await store.s3.send(new GetObjectCommand({ Bucket: 'cdn', Key: PHOTO.Key }));
    t.is(await photo.Body?.transformToString(), PHOTO.Body);
    t.like(photo, { ContentType: PHOTO.ContentType, CacheControl: PHOTO.CacheControl });
  });
  await engines.stop();

  t.regex((await backup(dataDir, 'restore', dir)).out.error, /has data of Postgres and S3/);
  const only = await backup(dataDir, 'restore', dir, '--only', 's3', '--replace');
  t.like(only.out, { s3_objects: 2, event_epoch: null });
  t.true(existsSync(join(only.out.earlier_data, 's3')));

  const verified = await verifyBackup(dir, () => {});
  t.like(verified.database, { shown: { organizations: 1 } });
  await appendFile(join(dir, 'postgres', 'PG_VERSION'), ' ');
  await rm(join(dir, 'postgres', 'global', 'pg_control'));
  await writeFile(join(dir, 'more'), '');
  const damaged = await backup(dataDir, 'verify', dir);
  t.is(damaged.code, 1);
  t.like(damaged.out, {
    valid: false,
    missing: ['postgres/global/pg_control'],
    damaged: ['postgres/PG_VERSION'],
    extra: ['more'],
  });
  const refused = await backup(dataDir, 'restore', dir, '--replace');
  t.regex(refused.out.error, /is (missing|damaged)\. Use another backup/);
  t.true(existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION')), 'a failed restore leaves the data in place');
  t.false(existsSync(join(dataDir, 'restoring')));
});
