import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { FairQueue, QueueError } from '#metering/fair-queue.ts';

const queueOf = (waitingPerName = 100, waiting = 1_000, patience = 5_000) =>
  new FairQueue<string>({ waitingPerName, waiting, patience });

const fail = (error: unknown): never => {
  throw error;
};

/** Adds calls, each under the name of its first letter. */
function fill(queue: FairQueue<string>, calls: readonly string[]): void {
  for (const call of calls) queue.add(call.charAt(0), call, fail);
}

test('names take turns, and those of a name keep their order', (t) => {
  const calls = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2', 'a4'];
  const order = ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'];
  for (const most of [1, 2, 3, 7, 100]) {
    const queue = queueOf();
    fill(queue, calls);
    const found: string[] = [];
    for (let taken = queue.take(most, 9); taken; taken = queue.take(most, 9)) {
      t.true(taken.items.length <= most);
      found.push(...taken.items);
      taken.done();
    }
    if (most === 1 || most >= calls.length) t.deepEqual(found, order);
    for (const name of 'abc')
      t.deepEqual(
        found.filter((call) => call.startsWith(name)),
        order.filter((call) => call.startsWith(name)),
      );
  }
});

test('while something is done for a name, its others wait, and nobody else does', (t) => {
  const queue = queueOf();
  fill(queue, ['a1', 'b1']);
  const first = queue.take(10, 9);
  t.deepEqual(first?.items, ['a1', 'b1']);
  fill(queue, ['a2', 'c1', 'b2', 'c2']);
  const second = queue.take(10, 9);
  t.deepEqual(second?.items, ['c1', 'c2']);
  t.is(queue.take(10, 9), null);
  first?.done();
  const third = queue.take(10, 9);
  t.deepEqual(third?.items, ['a2', 'b2']);
  third?.done();
  t.is(queue.take(10, 9), null);
});

test('of names that were taken together each may be done before the others', (t) => {
  const queue = queueOf();
  fill(queue, ['a1', 'b1', 'a2']);
  const taken = queue.take(10, 9);
  t.deepEqual(
    taken?.turns.map(({ items }) => items),
    [['a1', 'a2'], ['b1']],
  );
  fill(queue, ['a3', 'b2']);
  taken?.turns[1]?.done();
  t.deepEqual(queue.take(10, 9)?.items, ['b2']);
  taken?.turns[0]?.done();
  t.deepEqual(queue.take(10, 9)?.items, ['a3']);
});

test('of so many names at most is taken, and then of the next', (t) => {
  const queue = queueOf();
  fill(queue, ['a1', 'b1', 'a2', 'c1', 'd1', 'b2', 'd2', 'a3']);
  const taken = [1, 2, 3, 4].map(() => queue.take(4, 2));
  t.deepEqual(
    taken.map((each) => each?.items),
    [['a1', 'b1', 'a2', 'b2'], ['c1', 'd1', 'd2'], undefined, undefined],
  );
  for (const each of taken) each?.done();
  t.deepEqual(queue.take(4, 2)?.items, ['a3']);
});

test('too many are sent away, and those who wait too long', async (t) => {
  const queue = queueOf(2, 3, 30);
  const late: string[] = [];
  const add = (name: string, call: string) =>
    queue.add(name, call, ({ reason }) => {
      late.push(`${call} ${reason}`);
    });
  add('a', 'a1');
  add('a', 'a2');
  add('b', 'b1');
  t.is(t.throws<QueueError>(() => add('a', 'a3'), { instanceOf: QueueError })?.reason, 'name_full');
  t.is(t.throws<QueueError>(() => add('c', 'c1'), { instanceOf: QueueError })?.reason, 'full');
  t.deepEqual(queue.take(1, 9)?.items, ['a1']);
  for (let wait = 0; late.length < 2 && wait < 400; wait++) await sleep(10);
  t.deepEqual(late, ['a2 late', 'b1 late']);
  t.is(queue.take(10, 9), null);
  add('c', 'c1');
  add('c', 'c2');
  add('d', 'd1');
  t.deepEqual(queue.take(10, 9)?.items, ['c1', 'd1', 'c2']);
});
