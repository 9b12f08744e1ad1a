import { currentVisitorRead, OVERLOAD, ReadQueues } from '#domain/read-queues.ts';
import { test } from '#test/test.ts';

/** Two statistics run in parallel on one core, of which an organization uses one. */
const CORES = 1;
const WAITING = 128;
const MINUTE = 60_000;

/** Creates queues with reads that begin in turn and end when the test says so. */
function controlled(timeoutFactor = 1) {
  const queues = new ReadQueues(CORES, timeoutFactor);
  const begun: string[] = [];
  const gates: (() => void)[] = [];
  const run = (name: string, signal?: AbortSignal): Promise<string> =>
    queues.run('statistics', { name, ...(signal ? { signal } : {}) }, performance.now() + MINUTE, () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<string>();
      gates.push(() => resolve(name));
      return promise;
    });
  const endAll = async (): Promise<void> => {
    while (gates.length > 0) {
      gates.shift()?.();
      await new Promise(setImmediate);
    }
  };
  const state = () => queues.queues().find(({ load }) => load === 'statistics');
  return { queues, run, begun, endAll, state };
}

test('a read is refused before any work if the queue of its organization or of all is full', async (t) => {
  const { queues, run, begun, endAll } = controlled();
  const reads = Array.from({ length: 1 + WAITING / 2 }, () => run('one'));
  await t.throwsAsync(run('one'), { is: OVERLOAD });
  reads.push(run('two'), ...Array.from({ length: WAITING / 2 }, () => run('two')));
  await t.throwsAsync(run('three'), { is: OVERLOAD });
  t.is(queues.refused, 2);
  t.is(begun.length, 2);
  await endAll();
  await t.notThrowsAsync(Promise.all(reads));
  t.is(begun.length, 2 + WAITING);
});

test('a read leaves the queue when it has waited too long or its client disconnects, and not while it runs', async (t) => {
  const { run, begun, endAll, state } = controlled(0.01);
  const connection = new AbortController();
  const running = run('one', connection.signal);
  const late = run('one');
  const left = run('one', connection.signal);
  connection.abort();
  await t.throwsAsync(left, { is: OVERLOAD });
  await t.throwsAsync(late, { is: OVERLOAD });
  t.like(state(), { running: 1, waiting: 0 });
  await endAll();
  t.is(await running, 'one');
  t.deepEqual(begun, ['one']);
});

/** Starts a read of the visitor class, with a search that ends at `end`. */
function visit(queues: ReadQueues, name: string, begun: string[] = []) {
  const search = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const result = queues.run('searches', { name, isVisitor: true }, performance.now() + MINUTE, async () => {
    begun.push(name);
    currentVisitorRead()?.searches.push(search.promise);
    started.resolve();
    return name;
  });
  return { result, started: started.promise, end: search.resolve };
}
const turn = () => new Promise(setImmediate);

test('visitors have a quarter of the slots and of the threads of the engine, at least one', async (t) => {
  for (const [cores, slots] of [
    [1, 1],
    [2, 1],
    [4, 1],
    [8, 3],
    [64, 16],
  ] as const) {
    const queues = new ReadQueues(cores, 1);
    const visits = Array.from({ length: 20 }, (_, at) => visit(queues, `${at}`));
    await turn();
    const running = queues.queues().find(({ load }) => load === 'visitor searches')?.running;
    t.is(running, slots, `${cores}`);
    for (const { end } of visits) end();
    await Promise.all(visits.map(({ result }) => result));
  }
});

test('a read of others begins at once while visitors fill their queue, and their waiting reads are bounded', async (t) => {
  const queues = new ReadQueues(CORES, 1);
  const visits = Array.from({ length: 300 }, (_, at) => visit(queues, `${at % 8}`));
  const results = visits.map(({ result }) => result.catch((error: unknown) => error));
  t.is(await queues.run('searches', { name: 'paying' }, performance.now() + MINUTE, async () => 'read'), 'read');
  for (const { end } of visits) end();
  const refused = (await Promise.all(results)).filter((result) => result === OVERLOAD);
  t.is(refused.length, 300 - 1 - 128, 'all but the running and the waiting reads');
});

test('visitors take turns', async (t) => {
  const queues = new ReadQueues(CORES, 1);
  const begun: string[] = [];
  const visits = [...'aaaabbc'].map((name) => visit(queues, name, begun));
  for (const { end } of visits) end();
  await Promise.all(visits.map(({ result }) => result));
  t.is(begun.join(''), 'abcabaa');
});

test('a visitor keeps the slot of a read until the engine has ended its searches', async (t) => {
  const queues = new ReadQueues(CORES, 1);
  const first = visit(queues, 'one');
  t.is(await first.result, 'one', 'the response does not wait');
  const begun: string[] = [];
  const second = visit(queues, 'two', begun);
  await turn();
  t.deepEqual(begun, []);
  first.end();
  await second.started;
  second.end();
  t.is(await second.result, 'two');
});
