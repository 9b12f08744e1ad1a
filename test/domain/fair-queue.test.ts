import fc from 'fast-check';
import { FairQueue, QueueError } from '#domain/fair-queue.ts';
import { test } from '#test/test.ts';

const queueOf = (waitingPerName = 100, waiting = 1_000) => new FairQueue<string>({ waitingPerName, waiting });

/** Adds each call under the name of its first letter. */
function fill(queue: FairQueue<string>, calls: readonly string[]): void {
  for (const call of calls) queue.add(call.charAt(0), call);
}

test('a fair queue serves its names round-robin, and the items of each name in FIFO order', (t) => {
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

test('while a fair queue processes an item, other items of the same name wait and other names are served', (t) => {
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

test('if a fair queue returns items of several names, the items of each name are completed separately', (t) => {
  const queue = queueOf();
  fill(queue, ['a1', 'b1', 'a2']);
  const taken = queue.take(10, 9);
  t.deepEqual(
    taken?.byName.map(({ items }) => items),
    [['a1', 'a2'], ['b1']],
  );
  fill(queue, ['a3', 'b2']);
  taken?.byName[1]?.done();
  t.deepEqual(queue.take(10, 9)?.items, ['b2']);
  taken?.byName[0]?.done();
  t.deepEqual(queue.take(10, 9)?.items, ['a3']);
});

test('a fair queue returns items of at most the requested number of names, and other names in the next call', (t) => {
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

test('a fair queue rejects items beyond its limits, and a removed item frees capacity', (t) => {
  const queue = queueOf(2, 4);
  const reasonOf = (call: string) =>
    t.throws<QueueError>(() => queue.add(call.charAt(0), call), { instanceOf: QueueError })?.reason;
  const remove = queue.add('a', 'a1');
  fill(queue, ['a2', 'b1']);
  t.is(reasonOf('a3'), 'name_full');
  fill(queue, ['c1']);
  t.is(reasonOf('d1'), 'full');
  t.deepEqual([queue.waiting, queue.names, queue.waitingOf('a')], [4, 3, 2]);
  remove();
  remove();
  t.deepEqual([queue.waiting, queue.names, queue.waitingOf('a')], [3, 3, 1]);
  fill(queue, ['d1']);
  const taken = queue.take(10, 9);
  t.deepEqual(taken?.items, ['a2', 'b1', 'c1', 'd1']);
  t.is(queue.waiting, 0);
});

test('a fair queue accepts an item of a new name, regardless of how many names fill the queue', (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 300 }), (calls) => {
      const queue = queueOf(1_000, 60);
      for (const call of calls) {
        try {
          queue.add(call, call);
        } catch {}
      }
      // One name takes at most half of the capacity, two names a third each, and so on.
      const counts = [...'abcd'].map((name) => queue.waitingOf(name));
      t.true(Math.max(...counts) <= 30);
      t.true(queue.waiting <= 60 - 60 / 5);
      t.notThrows(() => queue.add('e', 'e'));
    }),
  );
});
