import { OVERLOAD, ReadQueues } from '#domain/read-queues.ts';
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
