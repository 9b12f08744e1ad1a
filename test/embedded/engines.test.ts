import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEngines } from '#embedded/engines.ts';
import { begunOf, processBegun } from '#embedded/process.ts';
import { withClient } from '#stores/postgres/pool.ts';
import { eventually } from '#test/eventually.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

// OpenSearch needs much memory and the test run has already started it, so these tests configure it as an external
// server. They start, kill and restart only Postgres and S3.
const ENV = { OPENSEARCH_URL: 'http://127.0.0.1:1' };

/** Starts engines in a child process that keeps running. `pids` are the process ids of the engines. */
async function startElsewhere(dataDir: string): Promise<{ child: ChildProcess; pids: number[] }> {
  const engines = join(import.meta.dirname, '..', '..', 'embedded', 'engines.ts');
  const script = `
    import { startEngines } from ${JSON.stringify(engines)};
    const { pids } = await startEngines(${JSON.stringify({ dataDir, env: ENV, throwaway: true })});
    console.log(JSON.stringify(pids));
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) return { child, pids: JSON.parse(line) };
  throw new Error('The engines did not start.');
}

test('engines keep their data and ports across restarts, and leave no processes when they stop', async (t) => {
  const dataDir = await temporaryFolder(t);
  const start = new AbortController();
  const first = await startEngines({ dataDir, env: ENV, throwaway: true, signal: start.signal });
  start.abort(new Error('too late: the engines have started'));
  t.is(first.pids.length, 2);
  t.false('OPENSEARCH_URL' in first.env);
  await withClient({ connectionString: first.env.DATABASE_URL }, (client) =>
    client.query('create table kept as select 42 as answer'),
  );
  await first.stop();
  t.true(first.pids.every((pid) => processBegun(pid) === undefined));

  const second = await startEngines({ dataDir, env: ENV, throwaway: true });
  t.deepEqual(second.env, first.env);
  const again = { connectionString: second.env.DATABASE_URL };
  const kept = await withClient(again, (client) => client.query('select answer from kept'));
  t.is(kept.rows[0].answer, 42);
  t.is((await stat(join(dataDir, 'secrets.json'))).mode & 0o077, 0);
  await second.stop();
  await second.stop();
  for (const name of ['postgres.log', 'postgres.log.1', 's3.log', 's3.log.1'])
    t.true((await stat(join(dataDir, 'logs', name))).isFile(), `the log of each start is retained: ${name}`);
});

test('a second start on the same data folder is refused while the first runs', async (t) => {
  const dataDir = await temporaryFolder(t);
  const { child, pids } = await startElsewhere(dataDir);
  const second = startEngines({ dataDir, env: ENV });
  await t.throwsAsync(second, { name: 'Problem', message: new RegExp(`Already running \\(process ${child.pid}\\)`) });
  child.kill('SIGKILL');
  // The engines stop when the process that started them is killed.
  await t.notThrowsAsync(eventually(() => pids.every((pid) => processBegun(pid) === undefined)));

  const third = await startEngines({ dataDir, env: ENV, throwaway: true });
  t.is(third.pids.length, 2);
  await third.stop();
});

test('a crashed engine is restarted up to three times in five minutes, then reported, and stays stopped', async (t) => {
  const dataDir = await temporaryFolder(t);
  const death = Promise.withResolvers<string>();
  const env = { ...ENV, S3_ENDPOINT: 'http://127.0.0.1:1' };
  const options = { dataDir, env, throwaway: true, restartOnCrash: true };
  const engines = await startEngines({ ...options, onCrash: death.resolve });
  t.teardown(engines.stop);
  const server = () => ({ connectionString: engines.env.DATABASE_URL, connectionTimeoutMillis: 20_000 });
  for (let time = 1; time <= 4; time++) {
    const [pid] = engines.pids as [number];
    process.kill(pid, 'SIGKILL');
    if (time === 4) break;
    await eventually(() => engines.pids[0] !== pid);
    await eventually(() => withClient(server(), async () => true).catch(() => false));
  }
  const message = await death.promise;
  t.regex(
    message,
    /^Postgres ended \(signal SIGKILL\), 4 times within 5 minutes, and is not started again\. Its log: /,
  );
  const log = await readFile(message.split('Its log: ')[1] as string, 'utf8');
  t.is(log.match(/starting PostgreSQL/g)?.length, 4, 'the log of every restart is retained');
  await engines.stop();

  const said = Promise.withResolvers<string>();
  const next = await startEngines({ ...options, say: said.resolve });
  process.kill(next.pids[0] as number, 'SIGKILL');
  await said.promise;
  await next.stop();
  t.true(
    next.pids.every((pid) => processBegun(pid) === undefined),
    'stopped while it waits for a restart',
  );
});

test('a cancelled start leaves no process and no lock', async (t) => {
  const dataDir = await temporaryFolder(t);
  const calledOff = new AbortController();
  const starting = startEngines({ dataDir, env: ENV, throwaway: true, signal: calledOff.signal });
  // Both processes run, and neither accepts connections yet.
  await eventually(() => existsSync(join(dataDir, 's3', 's3proxy.conf')));
  const begun = Date.now();
  calledOff.abort(new Error('called off'));
  await t.throwsAsync(starting, { message: 'called off' });
  t.true(Date.now() - begun < 45_000, 'the start does not wait for a stopped engine');
  const next = await startEngines({ dataDir, env: ENV, throwaway: true });
  await next.stop();
});

test('a process counts as running until its last thread has exited', (t) => {
  const stat = (state: string, threads: number) =>
    `3107 (a) b) ${state} 3104 3104 2068 0 -1 4227084 3047 6524 15 0 5 1 3 1 20 0 ${threads} 0 7536544 0 0 0`;
  t.is(begunOf(stat('S', 1)), '7536544');
  t.is(begunOf(stat('Z', 2)), '7536544', 'the main thread has ended, but another thread holds the ports');
  t.is(begunOf(stat('Z', 1)), undefined);
  t.is(begunOf(stat('X', 0)), undefined);
});
