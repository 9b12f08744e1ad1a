import { createTurns } from '#src/http/take-turns.ts';
import { test } from '#test/test.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('few requests begin in a turn of the event loop, in order, and more than the maximum are refused', async (t) => {
  const turn = createTurns(4, 10);
  const begun: number[] = [];
  const all = Array.from({ length: 12 }, (_, at) => turn().then(() => begun.push(at)));
  const refused = await Promise.allSettled(all.slice(10));
  t.deepEqual(
    refused.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  const counts: number[] = [];
  while (begun.length < 10) {
    await nextTurn();
    counts.push(begun.length);
  }
  t.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const steps = counts.map((count, at) => count - (counts[at - 1] ?? 0));
  t.true(Math.max(...steps) <= 4, String(counts));
  await turn();
});
