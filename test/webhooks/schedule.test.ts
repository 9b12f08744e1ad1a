import { test } from '#test/test.ts';
import { nextCapacity, nextWait, readRetryAfter } from '#webhooks/schedule.ts';

const MINUTE = 60_000;

test('Retry-After can postpone an attempt up to the longest retry delay, but not make it earlier', (t) => {
  t.is(nextWait(1, 0, 30_000), MINUTE);
  t.is(nextWait(1, 0, 20 * MINUTE), 20 * MINUTE);
  t.is(nextWait(1, 0, 999 * 60 * MINUTE), 360 * MINUTE);
  t.is(nextWait(6, 0, MINUTE), null);
  const now = Date.parse('2026-06-01T12:00:00Z');
  t.is(readRetryAfter('120', now), 120_000);
  t.is(readRetryAfter('Mon, 01 Jun 2026 12:02:00 GMT', now), 120_000);
  t.is(readRetryAfter('Mon, 01 Jun 2026 11:00:00 GMT', now), 0);
  for (const other of ['', 'soon', '-5', '2026-06-01', undefined, ['1', '2']]) t.is(readRetryAfter(other, now), null);
});

test('the concurrency for a receiver host increases with fast responses and decreases with slow ones', (t) => {
  const after = (capacity: number, took: number) => nextCapacity(capacity, took, 8);
  t.deepEqual([after(1, 20), after(4, 20), after(8, 20), after(8, 2_000)], [2, 8, 8, 4]);
  t.is(after(8, Number.POSITIVE_INFINITY), 1);
});
