import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newId } from '#accounts/ids.ts';
import { generateKey, hashKey } from '#accounts/keys.ts';
import { freePort } from '#embedded/ports.ts';
import type { Stores } from './corpus/corpus.ts';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
const LOG_FILE = join(PROJECT, '.data', 'bench', 'logs', 'api.log');
const START_LIMIT = 60_000;

/** A key of an Enterprise organization without limits. */
interface UnlimitedKey {
  key: string;
  /** Public id of the key's organization. */
  organization: string;
  /** Internal numbers. */
  organizationId: number;
  keyId: number;
}

/** An API address with a key that has no limits. */
export interface ApiCaller extends UnlimitedKey {
  origin: string;
}

/** An API server in a separate process, configured as in production. */
export interface ApiProcess extends ApiCaller, AsyncDisposable {
  pid: number;
}

interface ApiOptions {
  /** Folder for the CPU profile that is written on exit; null disables profiling. */
  profileDir?: string | null;
  /** Extra environment variables. */
  changes?: Readonly<Record<string, string>>;
  running?: ApiProcess;
  /** Initial time of the process's clock in epoch milliseconds. Defaults to the current time. */
  clock?: number;
}

export async function startApi(stores: Stores, options: ApiOptions = {}): Promise<ApiProcess> {
  const { profileDir = null, changes = {}, running, clock } = options;
  const key = running ?? (await unlimitedKey(stores));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const profile = profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`, '--cpu-prof-interval=500'];
  // As in production, request logs are written to a file: an unread pipe would fill and block the process.
  mkdirSync(dirname(LOG_FILE), { recursive: true });
  const log = openSync(LOG_FILE, running ? 'a' : 'w');
  const child = spawn(process.execPath, [...profile, 'src/main.ts', 'api'], {
    cwd: PROJECT,
    env: {
      ...process.env,
      ...stores.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      SITE_URL: origin,
      NODE_ENV: 'production',
      // Raised so that the load test does not hit the abuse limit, because calls for official data cost no units.
      UNCHARGED_CALLS_PER_MINUTE: '999999999',
      FREE_BYTES_PER_MINUTE: '999999999',
      ...(clock !== undefined && {
        BENCH_CLOCK: new Date(clock).toISOString(),
        NODE_OPTIONS: `--import=${new URL('./moved-clock.ts', import.meta.url).href}`,
      }),
      ...changes,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const stop = () => end(child);
  try {
    await ready(child, `${origin}/healthz`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...key, origin, pid: child.pid as number, [Symbol.asyncDispose]: stop };
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_LIMIT;
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`The API did not start:\n${readFileSync(LOG_FILE, 'utf8').slice(-4_000)}`);
    const up = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
    if (up) return;
    await sleep(100);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(limit);
}

/** Creates a key for an Enterprise organization without limits. Its calls are authenticated and metered. */
export async function unlimitedKey({ pool, config }: Stores, name = 'Bench'): Promise<UnlimitedKey> {
  const { rows } = await pool.query<{ id: number; organization: string }>(
    `insert into organizations (public_id, name, plan, units_per_minute) values ($1, $2, 'enterprise', 1000000000)
     on conflict (name) do update set plan = excluded.plan, units_per_minute = excluded.units_per_minute returning id, public_id as organization`,
    [newId('org', randomBytes), name],
  );
  const { id, organization } = rows[0] as { id: number; organization: string };
  const key = generateKey('live', randomBytes);
  await pool.query('delete from exports where organization_id = $1', [id]);
  await pool.query('delete from api_keys where organization_id = $1', [id]);
  const { rows: keys } = await pool.query<{ id: number }>(
    `insert into api_keys (public_id, organization_id, kind, name, hash, last_four)
     values ($1, $2, 'live', 'bench', $3, $4) returning id`,
    [newId('key', randomBytes), id, hashKey(key, config.keyPepper), key.slice(-4)],
  );
  return { key, organization, organizationId: id, keyId: keys[0]?.id as number };
}
