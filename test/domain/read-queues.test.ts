import { currentVisitorRead, OVERLOAD, ReadQueues } from '#domain/read-queues.ts';
import { eventually } from '#test/eventually.ts';
import { test } from '#test/test.ts';

const MINUTE = 60_000;

/** Creates queues with reads that begin in turn and end when the test ends them. The clock does not advance. */
function controlled(timeoutFactor = 1) {
  const queues = new ReadQueues({ timeoutFactor });
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
      await turn();
    }
  };
  const state = () => queues.queues().find(({ load }) => load === 'statistics');
  return { queues, run, begun, endAll, state };
}
const turn = () => new Promise(setImmediate);

test('organizations take turns, and a read is refused before any work if the line of its organization is full', async (t) => {
  const { queues, run, begun, endAll } = controlled(100);
  const reads = Array.from({ length: 2 + 128 }, () => run('one'));
  await t.throwsAsync(run('one'), { is: OVERLOAD });
  t.is(queues.refused, 1);
  reads.push(run('two'), run('two'), run('three'));
  await endAll();
  await t.notThrowsAsync(Promise.all(reads));
  t.deepEqual(begun.slice(0, 7), ['one', 'one', 'one', 'two', 'three', 'one', 'two']);
});

test('a read leaves the queue when it has waited too long or its client disconnects, and not while it runs', async (t) => {
  const { run, begun, endAll, state } = controlled(0.01);
  const connection = new AbortController();
  const running = [run('one', connection.signal), run('one')];
  const late = run('one');
  const left = run('one', connection.signal);
  connection.abort();
  await t.throwsAsync(left, { is: OVERLOAD });
  await t.throwsAsync(late, { is: OVERLOAD });
  t.like(state(), { running: 2, waiting: 0 });
  await endAll();
  t.deepEqual(await Promise.all(running), ['one', 'one']);
  t.deepEqual(begun, ['one', 'one']);
});

test('a search that takes long no longer uses a slot, so that an unresponsive node does not take all', async (t) => {
  const queues = new ReadQueues({ timeoutFactor: 0.02 });
  const gate = Promise.withResolvers<string>();
  const search = (read: () => Promise<string>) =>
    queues.run('searches', { name: 'one' }, performance.now() + MINUTE, read);
  const stuck = search(() => gate.promise);
  await eventually(() => queues.queues()[0]?.running === 0);
  t.is(await search(async () => 'served'), 'served');
  gate.resolve('late');
  t.is(await stuck, 'late');
  t.is(queues.queues()[0]?.running, 0);
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
test('visitors have a quarter of the current slots, at least one', async (t) => {
  let now = 0;
  const queues = new ReadQueues({ timeoutFactor: 100, clock: () => now });
  const gates: (() => void)[] = [];
  /** Reads of several organizations, each of which takes 10 ms. Waiting reads raise the limit. */
  const read = async (count: number): Promise<void> => {
    const work = () => new Promise<void>((resolve) => gates.push(resolve));
    for (let at = 0; at < count; at++) void queues.run('searches', { name: `${at % 4}` }, MINUTE, work);
    for (await turn(); gates.length > 0; await turn()) {
      now += 10;
      for (const end of gates.splice(0)) end();
    }
  };
  const visitorSlots = () => queues.queues().find(({ load }) => load === 'visitor searches')?.slots;
  t.is(visitorSlots(), 1);
  await read(1);
  for (let at = 0; at < 10; at++) await read(300);
  const slots = queues.queues()[0]?.slots ?? 0;
  t.true(slots >= 8, `${slots}`);
  t.is(visitorSlots(), Math.floor(slots / 4));
  const visits = Array.from({ length: 40 }, (_, at) => visit(queues, `${at}`));
  await turn();
  t.is(queues.queues().find(({ load }) => load === 'visitor searches')?.running, Math.floor(slots / 4));
  for (const { end } of visits) end();
  await Promise.all(visits.map(({ result }) => result));
});

test('a read of others begins at once while visitors fill their queue, and their waiting reads are bounded', async (t) => {
  const queues = new ReadQueues();
  const visits = Array.from({ length: 600 }, (_, at) => visit(queues, `${at % 8}`));
  const results = visits.map(({ result }) => result.catch((error: unknown) => error));
  t.is(await queues.run('searches', { name: 'paying' }, performance.now() + MINUTE, async () => 'read'), 'read');
  for (const { end } of visits) end();
  const refused = (await Promise.all(results)).filter((result) => result === OVERLOAD);
  t.is(refused.length, 600 - 1 - 512, 'all but the running and the waiting reads');
});

test('visitors take turns', async (t) => {
  const queues = new ReadQueues();
  const begun: string[] = [];
  const visits = [...'aaaabbc'].map((name) => visit(queues, name, begun));
  for (const { end } of visits) end();
  await Promise.all(visits.map(({ result }) => result));
  t.is(begun.join(''), 'aabcaba');
});

test('a visitor keeps the slot of a read until the engine has ended its searches', async (t) => {
  const queues = new ReadQueues();
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
