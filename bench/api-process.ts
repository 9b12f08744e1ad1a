import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '#domain/process/ports.ts';
import { newId } from '#src/accounts/ids.ts';
import { generateKey, hashKey } from '#src/accounts/keys.ts';
import type { Corpus } from './corpus.ts';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
const START_LIMIT = 60_000;

/** An API address with a key that has no limits. */
export interface ApiCaller {
  origin: string;
  key: string;
}

/** An API server in a separate process, configured as in production. */
export interface ApiProcess extends ApiCaller, AsyncDisposable {
  pid: number;
}

interface ApiOptions {
  /** Extra environment variables. */
  changes?: Readonly<Record<string, string>>;
  /** The key to use. Defaults to a new one. */
  key?: string;
  /** Initial time of the process's clock in epoch milliseconds. Defaults to the current time. */
  clock?: number;
}

export async function startApi(corpus: Corpus, options: ApiOptions = {}): Promise<ApiProcess> {
  const { changes = {}, clock } = options;
  const key = options.key ?? (await unlimitedKey(corpus));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['app/main.ts', 'api'], {
    cwd: PROJECT,
    env: {
      ...process.env,
      ...corpus.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      SITE_URL: origin,
      NODE_ENV: 'production',
      ...(clock !== undefined && {
        BENCH_CLOCK: new Date(clock).toISOString(),
        NODE_OPTIONS: `--import=${new URL('./moved-clock.ts', import.meta.url).href}`,
      }),
      ...changes,
    },
    // Request logs are written and discarded: an unread pipe would fill and block the process.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    if (child.kill('SIGKILL')) await once(child, 'exit');
  };
  try {
    await ready(child, `${origin}/readyz`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { key, origin, pid: child.pid as number, [Symbol.asyncDispose]: stop };
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_LIMIT;
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('The API did not start.');
    await sleep(100);
  }
}

/** Creates a key for an Enterprise organization without limits. Its calls are authenticated and metered. */
export async function unlimitedKey({ pool, config }: Corpus, name = 'Bench'): Promise<string> {
  const key = generateKey('live', randomBytes);
  await pool.query(
    `with organization as (
       insert into organizations (public_id, name, plan, units_per_minute) values ($1, $2, 'enterprise', 1000000000) returning id
     )
     insert into api_keys (public_id, organization_id, kind, name, hash, last_four)
     select $3, id, 'live', $3, $4, $5 from organization`,
    [newId('org', randomBytes), name, newId('key', randomBytes), hashKey(key, config.keyPepper), key.slice(-4)],
  );
  return key;
}
