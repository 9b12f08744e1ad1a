import test from 'ava';
import { FairQueue, QueueError } from '#metering/fair-queue.ts';

const queueOf = (places: number, waitingPerName = 100, waiting = 1_000) =>
  new FairQueue({ places, waitingPerName, waiting });

/** Lets everything run that can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('names take turns, and those of a name keep their order', async (t) => {
  const queue = queueOf(1);
  const leave = await queue.enter('first', 1_000);
  const order: string[] = [];
  const come = async (name: string, call: string): Promise<void> => {
    const done = await queue.enter(name, 1_000);
    order.push(call);
    done();
  };
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2', 'a4'].map((call) => come(call.charAt(0), call));
  await settled();
  t.deepEqual(order, []);
  leave();
  leave();
  await Promise.all(all);
  t.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('no more are inside than there are places', async (t) => {
  const queue = queueOf(3);
  let inside = 0;
  let most = 0;
  const calls = Array.from({ length: 60 }, async (_, index) => {
    const leave = await queue.enter(`name ${index % 7}`, 5_000);
    most = Math.max(most, ++inside);
    await settled();
    inside--;
    leave();
  });
  await Promise.all(calls);
  t.is(most, 3);
});

test('too many are sent away, and those who wait too long', async (t) => {
  const queue = queueOf(1, 2, 3);
  const leave = await queue.enter('a', 1_000);
  const late = ['a', 'a', 'b'].map((name) => t.throwsAsync(queue.enter(name, 30), { instanceOf: QueueError }));
  t.is((await t.throwsAsync<QueueError>(queue.enter('a', 30)))?.reason, 'name_full');
  t.is((await t.throwsAsync<QueueError>(queue.enter('c', 30)))?.reason, 'full');
  for (const error of await Promise.all(late)) t.is((error as QueueError).reason, 'late');
  const next = queue.enter('c', 1_000);
  leave();
  (await next)();
  (await queue.enter('d', 0))();
});
