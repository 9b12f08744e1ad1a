import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { freePort } from '#domain/process/ports.ts';
import { chooseIdentity } from '#embedded/identity.ts';
import { withClient } from '#stores/postgres/pool.ts';
import { eventually } from './eventually.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

export interface PgBouncer {
  program: string;
  version: string;
}

/** The programs that `tools/pgbouncer/install.sh` has installed, and that of the machine. */
export const pgBouncers = (): PgBouncer[] =>
  [
    ...globSync('tools/pgbouncer/*/pgbouncer', { cwd: PROJECT }).map((path) => join(PROJECT, path)),
    'pgbouncer',
  ].flatMap((program) => {
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 30_000 });
    const version = /PgBouncer ([\d.]+)/.exec(stdout ?? '')?.[1];
    return version === undefined ? [] : [{ program, version }];
  });

/** Starts PgBouncer before the server of a database until the end of the test. @returns URL of the database through it */
export async function startPgBouncer(
  t: ExecutionContext,
  { program }: PgBouncer,
  databaseUrl: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<string> {
  const folder = await temporaryFolder(t);
  const { hostname, port, username, password } = new URL(databaseUrl);
  const listenPort = await freePort();
  const own = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    log_connections: 0,
    log_disconnections: 0,
    ...settings,
  };
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${value}`);
  const config = ['[databases]', `* = host=${hostname} port=${port}`, '[pgbouncer]', ...lines, ''];
  await writeFile(join(folder, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(join(folder, 'config.ini'), config.join('\n'));
  const identity = chooseIdentity([program === 'pgbouncer' ? PROJECT : program]);
  spawnSync('chmod', ['-R', 'a+rX', folder]);
  const { command, args, ...ids } = identity.wrap(program, [join(folder, 'config.ini')]);
  const child = spawn(command, args, { ...ids, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log = `${log}${chunk}`.slice(-20_000);
  });
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    if (!t.passed) t.log(log.slice(-4_000));
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${listenPort}`;
  await eventually(() =>
    withClient({ connectionString: url.href, connectionTimeoutMillis: 5_000 }, async () => true).catch(() => false),
  );
  return url.href;
}
