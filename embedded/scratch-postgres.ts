import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startGuard } from './guard.ts';
import { chooseIdentity, chownTo } from './identity.ts';
import { launch } from './launch.ts';
import { takeLock } from './lock.ts';
import { postgresFlags, postgresHome } from './postgres.ts';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Milliseconds until Postgres must have replayed the write-ahead log of a copy. */
const START_LIMIT = 600_000;

/**
 * Runs Postgres on the subfolder `data` of a scratch folder, and changes the data. Other users cannot connect, because
 * Postgres listens only on a socket in a private folder. Therefore no password is needed.
 * @param folder absolute path, short enough for a socket
 * @param work receives the settings of a connection without a database
 * @throws Problem with the end of the log if Postgres does not start
 */
export async function withScratchPostgres<T>(
  folder: string,
  work: (server: pg.ClientConfig) => Promise<T>,
): Promise<T> {
  const home = postgresHome(PROJECT);
  const [data, socket, accessFile] = ['data', 'socket', 'pg_hba.conf'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const identity = chooseIdentity([folder, home]);
  await mkdir(socket, { mode: 0o700 });
  await writeFile(accessFile, 'local all all trust\n');
  for (const path of [data, socket]) await chownTo(identity, path);
  const lock = await takeLock(join(folder, 'running.json'), () => {});
  const guard = startGuard();
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socket,
    hba_file: accessFile,
    max_connections: 10,
    autovacuum: 'off',
    fsync: 'off',
  };
  const server = { host: socket, user: 'postgres', connectionTimeoutMillis: 20_000 };
  let stop = async () => {};
  try {
    const engine = await launch(
      {
        identity,
        lock,
        guard,
        restartOnCrash: false,
        say: () => {},
        onStarted: (started) => {
          stop = started.stop;
        },
        onCrash: () => {},
      },
      {
        name: 'Postgres',
        command: join(home, 'bin', 'postgres'),
        args: ['-D', data, ...postgresFlags(settings)],
        env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
        cwd: folder,
        logFile: join(folder, 'postgres.log'),
        signal: 'SIGINT',
      },
    );
    await engine.ready(() => connects({ ...server, database: 'postgres' }), START_LIMIT);
    return await work(server);
  } finally {
    await stop();
    await guard.dismiss();
    await lock.release();
  }
}

async function connects(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}
