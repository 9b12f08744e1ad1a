import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { heapFor, startEngines } from '#embedded/engines.ts';
import { choosePorts, isFree } from '#embedded/ports.ts';
import { processBegun } from '#embedded/process.ts';

// OpenSearch takes much memory and was started by the run that these tests are part of. Here it counts as a server that
// runs elsewhere; Postgres and S3 are started, killed and started again.
const ENV = { OPENSEARCH_URL: 'http://127.0.0.1:1' };

async function dataFolder(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'engines-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A process of its own that starts engines and then waits; `pids` are theirs. */
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

async function untilGone(pids: readonly number[], limitMs: number): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; await sleep(50))
    if (pids.every((pid) => processBegun(pid) === undefined)) return true;
  return false;
}

test('engines keep their data and ports from start to start, and stop without a trace', async (t) => {
  const dataDir = await dataFolder(t);
  const first = await startEngines({ dataDir, env: ENV, throwaway: true });
  t.is(first.pids.length, 2);
  t.false('OPENSEARCH_URL' in first.env);
  const client = new pg.Client({ connectionString: first.env.DATABASE_URL });
  await client.connect();
  await client.query('create table kept as select 42 as answer');
  await client.end();
  await first.stop();
  t.true(first.pids.every((pid) => processBegun(pid) === undefined));

  const second = await startEngines({ dataDir, env: ENV, throwaway: true });
  t.deepEqual(second.env, first.env);
  const again = new pg.Client({ connectionString: second.env.DATABASE_URL });
  await again.connect();
  t.is((await again.query('select answer from kept')).rows[0].answer, 42);
  await again.end();
  t.is((await stat(join(dataDir, 'secrets.json'))).mode & 0o077, 0);
  await second.stop();
  await second.stop();
});

test('a second start on the same data folder is refused while the first runs', async (t) => {
  const dataDir = await dataFolder(t);
  const { child, pids } = await startElsewhere(dataDir);
  const second = startEngines({ dataDir, env: ENV });
  await t.throwsAsync(second, { name: 'Problem', message: new RegExp(`Already running \\(process ${child.pid}\\)`) });
  child.kill('SIGKILL');
  t.true(await untilGone(pids, 20_000), 'engines end when the process that started them was killed');

  const third = await startEngines({ dataDir, env: ENV, throwaway: true });
  t.is(third.pids.length, 2);
  await third.stop();
});

test('an engine that dies is reported with its log', async (t) => {
  const dataDir = await dataFolder(t);
  const death = Promise.withResolvers<string>();
  const engines = await startEngines({
    dataDir,
    env: { ...ENV, S3_ENDPOINT: 'http://127.0.0.1:1' },
    onDeath: death.resolve,
  });
  process.kill(engines.pids[0] as number, 'SIGKILL');
  const message = await death.promise;
  t.regex(message, /Postgres ended \(signal SIGKILL\)/);
  t.truthy(await readFile(message.split('Its log: ')[1] as string, 'utf8'));
  await engines.stop();
});

test('a start that is called off leaves no process and no lock', async (t) => {
  const dataDir = await dataFolder(t);
  const calledOff = new AbortController();
  const starting = startEngines({ dataDir, env: ENV, throwaway: true, signal: calledOff.signal });
  setTimeout(() => calledOff.abort(new Error('called off')), 300);
  await t.throwsAsync(starting);
  const next = await startEngines({ dataDir, env: ENV, throwaway: true });
  await next.stop();
});

test('a remembered port that is taken is replaced, and the others stay', async (t) => {
  const file = join(await dataFolder(t), 'ports.json');
  const first = await choosePorts(file, ['a', 'b']);
  const taken = createServer().listen(first.a, '127.0.0.1');
  await once(taken, 'listening');
  t.false(await isFree(first.a));
  const second = await choosePorts(file, ['a', 'b']);
  t.not(second.a, first.a);
  t.is(second.b, first.b);
  taken.close();
});

test('the heap is an eighth of the memory, within one and four gigabytes', (t) => {
  const gigabytes = (count: number) => heapFor(count * 2 ** 30);
  t.deepEqual([2, 8, 16, 23.5, 64].map(gigabytes), ['1g', '1g', '2g', '3g', '4g']);
});
