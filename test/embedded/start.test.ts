import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { type Progress, STAGES } from '#ingest/run/report.ts';
import { Cleanup } from '#start/cleanup.ts';
import { shareOfRun } from '#start/run-share.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** Runs the process to its end, with nothing set but what is given. */
function start(env: Record<string, string>, role = 'all') {
  const bare = { PATH: process.env.PATH, ...env } as NodeJS.ProcessEnv;
  return spawnSync(process.execPath, [MAIN, role], { encoding: 'utf8', env: bare, timeout: 60_000 });
}

test('a port that is taken is named, with what to do, before anything is started', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const dataDir = join(tmpdir(), `start-${process.pid}-${port}`);
  const { status, stdout, stderr } = start({ PORT: String(port), DATA_DIR: dataDir });
  taken.close();
  t.is(status, 1);
  t.regex(stdout, new RegExp(`Port ${port} .*taken.*PORT=${port + 1} npm start`, 's'));
  t.notRegex(stdout + stderr, /\n {4}at /, 'no stack');
  t.false(existsSync(dataDir));
});

test('what is missing or wrong in the configuration is named, without a stack', (t) => {
  for (const [env, role, message] of [
    [{}, 'api', /KEY_PEPPER is not set/],
    [{ KEY_PEPPER: 'short' }, 'all', /KEY_PEPPER must have at least 32 characters/],
    [{ PORT: 'many' }, 'all', /PORT must be a port number, not "many"/],
    [{}, 'none', /no role "none".*all, api, worker/s],
  ] as const) {
    const { status, stdout, stderr } = start({ ...env }, role);
    t.is(status, 1);
    t.regex(stdout, message);
    t.is(stderr, '');
  }
});

test('cleaning up goes backwards, past what fails and what hangs', async (t) => {
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

test('the share of a run that is done never falls and stays within the run', (t) => {
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
