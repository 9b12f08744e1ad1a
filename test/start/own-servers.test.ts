import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import pg from 'pg';
import { freePort } from '#embedded/ports.ts';
import { createS3 } from '#s3/client.ts';
import { testConfig } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { testWhere } from '#test/present.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';

/** Commands of docs/backup.md for own servers. They run wherever Postgres and the AWS command line are installed. */
const PAGE = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'backup.md'), 'utf8');
const WAIT_MS = 60_000;

/** Returns the path of a program after links, or null if it is not installed. */
function pathOf(program: string): string | null {
  try {
    return execFileSync('sh', ['-c', `realpath "$(command -v ${program})"`], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

/** Returns the code of the page that begins with a text: in a sentence, or an indented line. */
function codeOf(start: string): string {
  const code = [...PAGE.matchAll(/`([^`\n]+)`|^ {4,}(.+)$/gm)].map((match) => (match[1] ?? match[2] ?? '').trim());
  const found = code.find((each) => each.startsWith(start));
  if (found === undefined) throw new Error(`docs/backup.md has no code that begins with ${start}`);
  return found;
}

const initdb = pathOf('initdb');
/** Postgres refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

testWhere(initdb !== null)('external Postgres is restored to a point in time or the end of the archive', async (t) => {
  t.timeout(3 * WAIT_MS);
  const folder = await temporaryFolder(t);
  const data = join(folder, 'data');
  const port = await freePort();
  const env = { ...process.env, PATH: `${dirname(initdb as string)}:${process.env.PATH}` };
  const run = (command: string) => promisify(execFile)('sh', ['-c', command], { env, cwd: folder, ...user });
  const own = (path: string): void => {
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid as number);
  };
  const here = (code: string): string =>
    code.replaceAll('/mnt/wal', join(folder, 'wal')).replaceAll('/mnt/backups', folder);
  const start = () => run(`pg_ctl -D ${data} -w -l ${join(folder, 'log')} start`);
  const stop = (mode: string) => run(`pg_ctl -D ${data} -w -m ${mode} stop`);
  const query = async (text: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'owner', database: 'postgres' });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  t.teardown(() => stop('immediate').catch(() => {}));
  own(folder);
  await mkdir(join(folder, 'wal'));
  own(join(folder, 'wal'));
  await run(`initdb -D ${data} -U owner -A trust --no-sync`);
  await appendFile(
    join(data, 'postgresql.conf'),
    [
      `port = ${port}`,
      `unix_socket_directories = '${folder}'`,
      here(codeOf('archive_mode')),
      here(codeOf('archive_command')),
      codeOf('archive_timeout'),
      '',
    ].join('\n'),
  );
  await start();
  await query('create table marks (n int); insert into marks values (1)');
  const backup = here(codeOf('pg_basebackup'))
    .replace('<host>', '127.0.0.1')
    .replace('<port>', String(port))
    .replace('<user>', 'owner');
  await run(backup);
  const saved = (await run(`ls -d ${folder}/pg-*`)).stdout.trim();
  await run(codeOf('pg_verifybackup').replace('<folder>', saved));
  await query('insert into marks values (2)');
  const [{ at } = {}] = await query('select now()::text as at');
  await query('insert into marks values (3)');
  const [{ wal } = {}] = await query('select pg_walfile_name(pg_switch_wal()) as wal');
  await eventually(async () => {
    const [{ archived } = {}] = await query(`select last_archived_wal >= '${wal}' as archived from pg_stat_archiver`);
    return archived === true;
  }, WAIT_MS);
  await stop('immediate');

  for (const [target, marks] of [
    [String(at), [1, 2]],
    [null, [1, 2, 3]],
  ] as const) {
    await rm(data, { recursive: true });
    await cp(saved, data, { recursive: true, preserveTimestamps: true });
    if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, data]);
    await chmod(data, 0o700);
    const lines = [here(codeOf('restore_command')), codeOf('recovery_target_action')];
    const time = codeOf('recovery_target_time =').replace(/'.*'/, `'${target}'`);
    await appendFile(join(data, 'postgresql.conf'), `${(target === null ? lines : [...lines, time]).join('\n')}\n`);
    await writeFile(join(data, 'recovery.signal'), '');
    own(join(data, 'recovery.signal'));
    await start();
    await eventually(
      async () => (await query('select pg_is_in_recovery() as recovering'))[0]?.recovering === false,
      WAIT_MS,
    );
    t.deepEqual(
      (await query('select n from marks order by n')).map(({ n }) => n),
      [...marks],
    );
    // Writable after the promotion.
    await query('create table later (n int)');
    await stop('fast');
    // The next restore must not read the segments of this timeline.
    await run(`rm -f ${join(folder, 'wal')}/00000002*`);
  }
});

testWhere(pathOf('aws') !== null)('S3 objects are copied to a folder and back with their content types', async (t) => {
  t.timeout(3 * WAIT_MS);
  const folder = await temporaryFolder(t);
  const { s3: settings } = testConfig();
  const s3 = createS3(settings);
  t.teardown(() => s3.destroy());
  const Bucket = `own-${randomBytes(6).toString('hex')}`;
  await s3.send(new CreateBucketCommand({ Bucket }));
  const objects = new Map([
    ['ab/1.jpg', randomBytes(5_000)],
    ['ab/2.jpg', randomBytes(1)],
    ['exports/rows.csv', Buffer.from('id,name\n1,الياسمين\n')],
  ]);
  for (const [Key, Body] of objects) await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  const checksums = codeOf('AWS_REQUEST_CHECKSUM_CALCULATION').split('=') as [string, string];
  const env = { ...process.env, S3_ENDPOINT: settings.endpoint, [checksums[0]]: checksums[1] };
  const sync = async (start: string): Promise<void> => {
    const command = codeOf(start).replaceAll('<bucket>', Bucket).replaceAll('/mnt/backups', folder);
    await promisify(execFile)('sh', ['-c', command], { env });
  };
  await sync('aws s3 sync s3://');
  for (const Key of objects.keys()) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  t.is((await s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount ?? 0, 0);
  await sync('aws s3 sync /mnt/backups');
  for (const [Key, body] of objects) {
    const { Body, ContentType } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    t.deepEqual(Buffer.from((await Body?.transformToByteArray()) ?? []), body, Key);
    t.is(ContentType, Key.endsWith('.jpg') ? 'image/jpeg' : 'text/csv');
  }
  for (const Key of objects.keys()) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
});
