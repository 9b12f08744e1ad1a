import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { waitForStores } from '#app/start/wait.ts';
import { testConfig } from '#test/env.ts';
import { startTcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'app', 'main.ts');

test('a role started before its engines reports the missing engines, waits, and can be stopped', async (t) => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    // It saves a third of the start.
    NODE_COMPILE_CACHE,
    KEY_PEPPER: 'a pepper of thirty-two characters',
    DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none',
    OPENSEARCH_URL: 'http://127.0.0.1:1,http://127.0.0.1:2',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
  };
  const child = spawn(process.execPath, [MAIN, 'worker'], { env });
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

test('the start waits for servers that may become available, until the time limit, and names the remedy', async (t) => {
  const real = testConfig();
  const [postgres, openSearch] = await Promise.all([
    startTcpProxy(new URL(real.databaseUrl)),
    startTcpProxy(new URL(real.opensearch.urls[0] as string)),
  ]);
  t.teardown(() => Promise.all([postgres.close(), openSearch.close()]));
  const urls = ['http://127.0.0.1:1', `http://127.0.0.1:${openSearch.port}`];
  const config = { ...real, databaseUrl: postgres.url, opensearch: { ...real.opensearch, urls } };
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

  const wrong = Object.assign(new URL(postgres.url), { password: 'another' }).href;
  await t.throwsAsync(waitForStores({ ...config, databaseUrl: wrong }, { say, signal }), {
    name: 'Problem',
    message: /Postgres at 127\.0\.0\.1:\d+ cannot be used: password auth/,
  });

  const readOnly = new URL(postgres.url);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  await t.throwsAsync(waitForStores({ ...config, databaseUrl: readOnly.href }, { say, signal, limit: 20 }), {
    message: /it is read-only: promote it, or use the primary/,
  });
});
