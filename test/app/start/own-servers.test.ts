import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { freePort } from '#domain/process/ports.ts';
import { createS3 } from '#stores/s3/s3-client.ts';
import { testConfig } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { testWhere } from '#test/present.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';

/** Commands of docs/backup.md. They run wherever their tools are installed. */
const PAGE = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'backup.md'), 'utf8');
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

/** Returns the indented lines of the page from one that begins with a text to the end of its block. */
function blockOf(start: string): string {
  const lines = PAGE.split('\n');
  const from = lines.findIndex((line) => line.startsWith(`    ${start}`));
  const to = lines.findIndex((line, at) => at > from && !line.startsWith('    '));
  return lines
    .slice(from, to)
    .map((line) => line.trim())
    .join('\n');
}

const initdb = pathOf('initdb');
/** Postgres refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A Postgres server in a folder, and the tool that backs it up. */
interface Server {
  folder: string;
  data: string;
  port: number;
  /** Runs a command of the page as the owner of the server, with the folders of the test. */
  run(code: string): Promise<string>;
  /** Returns code of the page with the folders of the test. */
  here(code: string): string;
  own(path: string): void;
}

interface Tool {
  archiveCommand: string;
  /** Environment of the server and of all commands. */
  env?(server: Server): Record<string, string>;
  /** Runs before the first backup. */
  prepare?(server: Server): Promise<void>;
  backUp(server: Server): Promise<void>;
  /** Restores a stopped server to a time, or to the end of the archive. */
  restore(server: Server, time: string | null): Promise<void>;
}

/** Backs up a server, and restores it to the end of its archive and to a point in time. */
async function restoreWith(t: ExecutionContext, tool: Tool): Promise<void> {
  t.timeout(4 * WAIT_MS);
  const folder = await temporaryFolder(t);
  const data = join(folder, 'data');
  const port = await freePort();
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: `${dirname(initdb as string)}:${process.env.PATH}` };
  const here = (code: string): string =>
    code
      .replaceAll('/mnt/wal', join(folder, 'wal'))
      .replaceAll('/mnt/backups', folder)
      .replace('/var/lib/postgresql/18/main', data);
  const run = async (command: string) =>
    (await promisify(execFile)('sh', ['-c', here(command)], { env, cwd: folder, ...user })).stdout.trim();
  const own = (path: string): void => {
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid as number);
  };
  const server: Server = { folder, data, port, run, here, own };
  Object.assign(env, tool.env?.(server));
  const log = join(folder, 'log');
  const start = () =>
    run(`pg_ctl -D ${data} -w -l ${log} start`).catch(async () => {
      throw new Error(await readFile(log, 'utf8'));
    });
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
  const settings = [codeOf('archive_mode ='), here(tool.archiveCommand), codeOf('archive_timeout =')];
  const placement = [`port = ${port}`, `unix_socket_directories = '${folder}'`];
  await appendFile(join(data, 'postgresql.conf'), `${[...placement, ...settings].join('\n')}\n`);
  await start();
  await tool.prepare?.(server);
  await query('create table marks (n int); insert into marks values (1)');
  await tool.backUp(server);
  // pgBackRest compares times in whole seconds.
  const [{ next } = {}] = await query(`select (date_trunc('second', now()) + interval '2 s')::text as next`);
  await eventually(async () => (await query(`select now() > '${next}' as passed`))[0]?.passed === true);
  await query('insert into marks values (2)');
  const [{ at } = {}] = await query('select now()::text as at');
  await query('insert into marks values (3)');
  const [{ wal } = {}] = await query('select pg_walfile_name(pg_switch_wal()) as wal');
  await eventually(async () => {
    const [{ archived } = {}] = await query(`select last_archived_wal >= '${wal}' as archived from pg_stat_archiver`);
    return archived === true;
  });
  await stop('immediate');

  for (const [time, marks] of [
    [null, [1, 2, 3]],
    [String(at), [1, 2]],
  ] as const) {
    await tool.restore(server, time);
    await start();
    const isPrimary = async () => (await query('select pg_is_in_recovery() as it'))[0]?.it === false;
    await eventually(isPrimary);
    t.deepEqual(
      (await query('select n from marks order by n')).map(({ n }) => n),
      [...marks],
    );
    // Writable after the promotion.
    await query('create table later (n int)');
    await stop('fast');
  }
}

testWhere(initdb !== null)('Postgres is restored with pg_basebackup to the end of its archive and to a time', (t) =>
  restoreWith(t, {
    archiveCommand: codeOf("archive_command = 'test"),
    async backUp({ port, run }) {
      const values = { '<host>': '127.0.0.1', '<port>': String(port), '<user>': 'owner' };
      await run(
        Object.entries(values).reduce((text, [name, value]) => text.replace(name, value), codeOf('pg_basebackup -h')),
      );
      await run(codeOf('pg_verifybackup <').replace('<folder>', '/mnt/backups/pg-*'));
    },
    async restore({ data, folder, run, here, own }, time) {
      await rm(data, { recursive: true });
      await cp(await run(`ls -d ${folder}/pg-*`), data, { recursive: true, preserveTimestamps: true });
      if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, data]);
      await chmod(data, 0o700);
      const lines = [here(codeOf('restore_command')), codeOf('recovery_target_action')];
      const target = codeOf('recovery_target_time =').replace(/'.*'/, `'${time}'`);
      await appendFile(join(data, 'postgresql.conf'), `${(time === null ? lines : [...lines, target]).join('\n')}\n`);
      await writeFile(join(data, 'recovery.signal'), '');
      own(join(data, 'recovery.signal'));
    },
  }),
);

testWhere(initdb !== null && pathOf('pgbackrest') !== null)(
  'Postgres is restored with pgBackRest to the end of its archive and to a time',
  (t) =>
    restoreWith(t, {
      archiveCommand: codeOf("archive_command = 'pgbackrest"),
      env: ({ folder, port }) => ({
        PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
        PGBACKREST_PG1_PORT: String(port),
        PGBACKREST_PG1_SOCKET_PATH: folder,
        PGBACKREST_PG1_USER: 'owner',
        PGBACKREST_LOG_PATH: folder,
        PGBACKREST_LOCK_PATH: folder,
        PGBACKREST_SPOOL_PATH: folder,
      }),
      async prepare({ folder, run, here }) {
        await writeFile(join(folder, 'pgbackrest.conf'), `${here(blockOf('[global]'))}\n`, { mode: 0o644 });
        await run(codeOf('pgbackrest --stanza=listings stanza-create'));
      },
      backUp: async ({ run }) => void (await run(codeOf('pgbackrest --stanza=listings backup'))),
      async restore({ run }, time) {
        const command = codeOf(`pgbackrest --stanza=listings --delta ${time === null ? 'restore' : '--type=time'}`);
        await run(command.replace(/--target='.*?'/, `--target='${time}'`));
      },
    }),
);

for (const [program, save, restore] of [
  ['aws', 'aws s3 sync s3://', 'aws s3 sync /mnt/backups'],
  ['rclone', 'rclone copy s3:', 'rclone copy /mnt/backups'],
] as const)
  testWhere(pathOf(program) !== null)(
    `S3 objects are copied with ${program} to a folder and back with their types`,
    async (t) => {
      t.timeout(3 * WAIT_MS);
      const folder = await temporaryFolder(t);
      const { s3: settings } = testConfig();
      const s3 = createS3(settings);
      t.teardown(() => s3.destroy());
      const Bucket = `own-${randomBytes(6).toString('hex')}`;
      const object = { Bucket, Key: 'ab/1.jpg' };
      const bytes = randomBytes(5_000);
      await s3.send(new CreateBucketCommand({ Bucket }));
      await s3.send(new PutObjectCommand({ ...object, Body: bytes }));
      const checksums = codeOf('AWS_REQUEST_CHECKSUM_CALCULATION').split('=') as [string, string];
      const env = {
        ...process.env,
        S3_ENDPOINT: settings.endpoint,
        [checksums[0]]: checksums[1],
        // Packaged builds of rclone refuse a bundle of certificates, which this server does not need.
        AWS_CA_BUNDLE: undefined,
        RCLONE_CONFIG: join(folder, 'rclone.conf'),
        RCLONE_CONFIG_S3_TYPE: 's3',
        RCLONE_CONFIG_S3_PROVIDER: 'Other',
        RCLONE_CONFIG_S3_ENDPOINT: settings.endpoint,
        RCLONE_CONFIG_S3_ACCESS_KEY_ID: settings.accessKeyId,
        RCLONE_CONFIG_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
      };
      for (const start of [save, restore]) {
        const command = codeOf(start).replaceAll('<bucket>', Bucket).replaceAll('/mnt/backups', folder);
        await promisify(execFile)('sh', ['-c', command], { env });
        if (start === save) await s3.send(new DeleteObjectCommand(object));
      }
      const { Body, ContentType } = await s3.send(new GetObjectCommand(object));
      t.deepEqual(Buffer.from((await Body?.transformToByteArray()) ?? []), bytes);
      t.is(ContentType, 'image/jpeg');
      await s3.send(new DeleteObjectCommand(object));
    },
  );
