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

/** A program before or behind the service, as docs/edges.md lists them. */
export interface Neighbor {
  path: string;
  version: string;
}

/** The versions that `tools/neighbors/install.sh` has installed, and that of the machine. */
export function neighborsOf(program: string, versionFlag: string): Neighbor[] {
  const installed = globSync(`tools/neighbors/*/${program}`, { cwd: PROJECT }).map((path) => join(PROJECT, path));
  return [...installed, program].flatMap((path) => {
    const { stdout, stderr } = spawnSync(path, [versionFlag], { encoding: 'utf8', timeout: 30_000 });
    const version = /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0];
    return version === undefined ? [] : [{ path, version }];
  });
}

/** Writes files and runs a program in their folder until the end of the test, as another user if this one is root. */
export async function startNeighbor(
  t: ExecutionContext,
  { path }: Neighbor,
  files: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<void> {
  const folder = await temporaryFolder(t);
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), text.replaceAll('FOLDER', folder));
  spawnSync('chmod', ['-R', 'a+rwX', folder]);
  const { command, args: wrapped, ...ids } = chooseIdentity([path.includes('/') ? path : PROJECT]).wrap(path, args);
  const child = spawn(command, wrapped, { ...ids, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log = `${log}${chunk}`.slice(-4_000);
  });
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      // Masters end their workers.
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    if (!t.passed) t.log(log);
  });
}

/** Starts PgBouncer before the server of a database until the end of the test. @returns URL of the database through it */
export async function startPgBouncer(
  t: ExecutionContext,
  neighbor: Neighbor,
  databaseUrl: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<string> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const listenPort = await freePort();
  const own = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: 'users',
    log_connections: 0,
    log_disconnections: 0,
    ...settings,
  };
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${value}`);
  const files = {
    users: `"${username}" "${decodeURIComponent(password)}"\n`,
    'config.ini': ['[databases]', `* = host=${hostname} port=${port}`, '[pgbouncer]', ...lines, ''].join('\n'),
  };
  await startNeighbor(t, neighbor, files, ['config.ini']);
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${listenPort}`;
  await eventually(() =>
    withClient({ connectionString: url.href, connectionTimeoutMillis: 5_000 }, async () => true).catch(() => false),
  );
  return url.href;
}
