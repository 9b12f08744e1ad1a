import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import test from 'ava';
import pg from 'pg';
import { listObjects } from '#backup/objects.ts';
import { withObjects } from '#backup/stores.ts';
import { verifyBackup } from '#backup/verify.ts';
import { type Engines, startEngines } from '#embedded/engines.ts';
import { migrate } from '#postgres/migrate.ts';
import { createPool } from '#postgres/pool.ts';

// Backups do not include OpenSearch, so it is configured as an external server and not started.
const ENV = { OPENSEARCH_URL: 'http://127.0.0.1:1' };
const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');
const PHOTO = { Key: 'ab/photo.png', Body: 'a photo', ContentType: 'image/png', CacheControl: 'immutable' };

interface Ran {
  code: number;
  // biome-ignore lint/suspicious/noExplicitAny: the output under test
  out: any;
  err: string;
}

/** Runs `npm run cli -- backup` on a data folder. */
async function backup(dataDir: string, ...args: string[]): Promise<Ran> {
  const { PATH, HOME, TMPDIR, JAVA_HOME, OPENSEARCH_JAVA_HOME } = process.env;
  const child = spawn(process.execPath, [CLI, '--json', 'backup', ...args], {
    env: { PATH, HOME, TMPDIR, JAVA_HOME, OPENSEARCH_JAVA_HOME, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { code, out: out === '' ? null : JSON.parse(out), err };
}

/** Content hash of every table but those that a backup or the load changes. */
async function readTables(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('load', 'job_runs', 'restores') order by 1`,
  );
  const contents: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: hashes } = await pool.query<{ hash: string }>(
      `select coalesce(md5(string_agg(row::text, e'\\n' order by row::text)), '') as hash from ${pg.escapeIdentifier(name)} row`,
    );
    contents[name] = hashes[0]?.hash ?? '';
  }
  return contents;
}

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

test.serial('a backup made under load restores every table and object after all data was lost', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'backup-test-'));
  const [dataDir, to, secrets] = ['data', 'backups', 'secrets.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  let engines: Engines = await startEngines({ dataDir, env: ENV, throwaway: true });
  t.teardown(async () => {
    await engines.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const url = () => engines.env.DATABASE_URL as string;
  await migrate(url());
  await withObjects(engines.env, async ({ s3 }) => {
    await s3.send(new PutObjectCommand({ Bucket: 'cdn', ...PHOTO }));
    await s3.send(new PutObjectCommand({ Bucket: 'exports', Key: `${'long/'.repeat(60)}part.gz`, Body: 'gz' }));
  });
  await mkdir(join(dataDir, 'journal'));
  await writeFile(join(dataDir, 'journal', 'a.ndjson'), '{"id":{"session":"s","charge":1},"taken":null}\n');
  const pool = createPool(url(), { max: 4 });
  await pool.query('create table load (id integer primary key, filler text)');
  await pool.query(`insert into organizations (public_id, name, plan) values ('org_a', 'Acme', 'growth')`);
  const tables = await readTables(pool);

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
  await pool.end();

  const running = await backup(dataDir, 'restore', dir, '--replace');
  t.is(running.code, 1);
  t.regex(running.out.error, /^Already running/);
  await engines.stop();

  await rm(dataDir, { recursive: true });
  t.regex((await backup(dataDir, 'restore', dir)).out.error, /without the secrets of the backup no key works/);
  const restored = await backup(dataDir, 'restore', dir, '--secrets', secrets);
  t.is(restored.code, 0, JSON.stringify(restored));
  t.like(restored.out, { s3_objects: 2, earlier_data: null, restored_to: created.out.restores_to });
  t.regex(restored.out.event_epoch, /^[0-9a-f]{12}$/);
  t.is(
    await readFile(join(dataDir, 'journal', 'a.ndjson'), 'utf8'),
    '{"id":{"session":"s","charge":1},"taken":null}\n',
  );

  engines = await startEngines({ dataDir, env: ENV, throwaway: true });
  const again = createPool(url(), { max: 1 });
  t.deepEqual(await readTables(again), tables);
  const { rows: load } = await again.query('select count(*)::int as count, max(id) as newest from load');
  t.is(load[0]?.count, load[0]?.newest, 'no commit is missing before the last one');
  t.true(load[0]?.newest >= before && load[0]?.newest <= after + 1);
  t.log(`${after} commits during the backup, ${load[0]?.newest} of them restored`);
  await again.end();
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
