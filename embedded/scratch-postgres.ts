import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { startGuard } from './guard.ts';
import { chooseIdentity, chownTo } from './identity.ts';
import { launch } from './launch.ts';
import { takeLock } from './lock.ts';
import { postgresCommand, postgresHome, query } from './postgres.ts';

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
  const at = (name: string) => join(folder, name);
  const [data, socket, accessFile] = [at('data'), at('socket'), at('pg_hba.conf')];
  const identity = chooseIdentity([folder, home]);
  await mkdir(socket, { mode: 0o700 });
  await writeFile(accessFile, 'local all all trust\n');
  for (const path of [data, socket]) await chownTo(identity, path);
  const lock = await takeLock(at('running.json'), () => {});
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
      postgresCommand(home, data, settings, at('postgres.log')),
    );
    await engine.ready(() => query({ ...server, database: 'postgres' }, 'select 1').then(() => true), START_LIMIT);
    return await work(server);
  } finally {
    await stop();
    await guard.dismiss();
    await lock.release();
  }
}
