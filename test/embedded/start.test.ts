import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Progress, STAGES } from '#ingest/run/report.ts';
import { Cleanup } from '#start/cleanup.ts';
import { shareOfRun } from '#start/run-share.ts';
import { waitForStores } from '#start/wait.ts';
import { testConfig } from '#test/env.ts';
import { startTcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** The environment of a start without engines. The compile cache saves a third of it. */
const { PATH, NODE_COMPILE_CACHE } = process.env;

/** Runs the process until it exits, with only the given environment. */
function start(env: Record<string, string>, role = 'all') {
  const bare = { PATH, NODE_COMPILE_CACHE, ...env } as NodeJS.ProcessEnv;
  return spawnSync(process.execPath, [MAIN, role], { encoding: 'utf8', env: bare, timeout: 60_000 });
}

test('a port in use is reported with a remedy before anything is started', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const dataDir = join(tmpdir(), `start-${process.pid}-${port}`);
  t.teardown(() => taken.close());
  for (const variable of ['PORT', 'METRICS_PORT']) {
    const { status, stdout, stderr } = start({ PORT: '0', [variable]: String(port), DATA_DIR: dataDir });
    t.is(status, 1);
    t.regex(stdout, new RegExp(`Port ${port} .*taken.* ${variable}=${port + 1}\n`, 's'));
    t.notRegex(stdout + stderr, /\n {4}at /, 'no stack');
    t.false(existsSync(dataDir));
  }
});

test('a missing or invalid variable is reported without a stack trace', (t) => {
  for (const [env, role, message] of [
    [{}, 'api', /KEY_PEPPER is not set/],
    [{ KEY_PEPPER: 'short' }, 'all', /KEY_PEPPER must have at least 32 characters/],
    [{ PORT: 'many' }, 'all', /PORT must be a whole number from 0 to 65535, not "many"/],
    [{}, 'none', /no role "none".*all, api, worker/s],
  ] as const) {
    const { status, stdout, stderr } = start({ ...env }, role);
    t.is(status, 1);
    t.regex(stdout, message);
    t.is(stderr, '');
  }
});

for (const role of ['api', 'worker', 'exports']) {
  test(`${role} started before its engines reports the missing engines, waits, and can be stopped`, async (t) => {
    const env = {
      PATH,
      NODE_COMPILE_CACHE,
      KEY_PEPPER: 'a pepper of thirty-two characters',
      DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none',
      OPENSEARCH_URL: 'http://127.0.0.1:1,http://127.0.0.1:2',
      S3_ENDPOINT: 'http://127.0.0.1:1',
      AWS_ACCESS_KEY_ID: 'none',
      AWS_SECRET_ACCESS_KEY: 'none',
    };
    const child = spawn(process.execPath, [MAIN, role], { env });
    const exit = once(child, 'close');
    let said = '';
    for (const output of [child.stdout, child.stderr])
      output.on('data', (chunk: Buffer) => {
        said += chunk;
        if (said.match(/^Waiting for/gm)?.length === 2) child.kill('SIGTERM');
      });
    t.deepEqual(await exit, [0, null], said);
    t.regex(said, /Waiting for Postgres at 127\.0\.0\.1:1 \(connect ECONNREFUSED 127\.0\.0\.1:1\), at most 180 s/);
    t.regex(said, /Waiting for OpenSearch at 127\.0\.0\.1:1, 127\.0\.0\.1:2 \(/);
    t.notRegex(said, /\n {4}at |secret/);
  });
}

test('the start waits until the engines are available or the time limit is reached', async (t) => {
  const real = testConfig();
  const [postgres, openSearch] = await Promise.all([
    startTcpProxy(new URL(real.databaseUrl)),
    startTcpProxy(new URL(real.opensearch.urls[0] as string)),
  ]);
  const through = new URL(postgres.url);
  const config = {
    ...real,
    databaseUrl: through.href,
    opensearch: { ...real.opensearch, urls: ['http://127.0.0.1:1', `http://127.0.0.1:${openSearch.port}`] },
  };
  t.teardown(() => Promise.all([postgres.close(), openSearch.close()]));
  const { signal } = new AbortController();
  await Promise.all([postgres.set('refuse'), openSearch.set('refuse')]);
  await t.throwsAsync(waitForStores(config, { say: () => {}, signal, limit: 20 }), {
    name: 'Problem',
    message: /did not respond within 0.02 s: .*\n {2}Start it, or set (DATABASE|OPENSEARCH)_URL/,
  });
  const said: string[] = [];
  const say = (line: string): void => {
    said.push(line);
    if (said.length === 2) void Promise.all([postgres.set('pass'), openSearch.set('pass')]);
  };
  await waitForStores(config, { say, signal });
  t.deepEqual(said.slice(2).sort(), ['OpenSearch answers.', 'Postgres answers.']);

  through.password = 'another';
  const wrong = waitForStores({ ...config, databaseUrl: through.href }, { say, signal });
  await t.throwsAsync(wrong, {
    name: 'Problem',
    message: /Postgres at 127\.0\.0\.1:\d+ cannot be used: password auth/,
  });
});

test('the start waits for a read-only Postgres and names the remedy', async (t) => {
  const config = testConfig();
  const readOnly = new URL(config.databaseUrl);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  const found = new AbortController();
  const said: string[] = [];
  const say = (line: string): void => {
    said.push(line);
    if (line.startsWith('Waiting for Postgres')) found.abort();
  };
  await t.throwsAsync(waitForStores({ ...config, databaseUrl: readOnly.href }, { say, signal: found.signal }), {
    name: 'AbortError',
  });
  t.regex(said.join('\n'), /Waiting for Postgres at \S+ \(it is read-only: promote it, or use the primary\)/);
});

test('cleanup runs in reverse order and continues after a step that fails or times out', async (t) => {
  const done: string[] = [];
  const complaints: string[] = [];
  const cleanup = new Cleanup();
  cleanup.add('first', async () => void done.push('first'));
  cleanup.add('hanging', () => new Promise(() => {}), 20);
  cleanup.add('failing', async () => Promise.reject(new Error('broken')));
  cleanup.add('last', async () => void done.push('last'));
  await cleanup.run((message) => complaints.push(message));
  t.deepEqual(done, ['last', 'first']);
  t.deepEqual(complaints, ['failing: broken', 'hanging: not done after 0.02 s.']);
});

test('the progress of a run never decreases and stays between 0 and 1', (t) => {
  const share = shareOfRun(['a', 'b']);
  const steps: Progress[] = [
    { stage: 'fetch', source: 'a', done: 10, total: null },
    { stage: 'fetch', source: 'b', done: 900, total: null },
    { stage: 'photos', source: null, done: 5, total: 10 },
    { stage: 'fetch', source: 'a', done: 0, total: null },
    { stage: STAGES[STAGES.length - 1] ?? 'index', source: null, done: 12, total: 10 },
  ];
  const shares = steps.map(share);
  t.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  t.is(shares[0], 0);
  t.true(Math.abs((shares.at(-1) as number) - 1) < 1e-9);
});
