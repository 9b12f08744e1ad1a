import { nextWait, readRetryAfter } from '#src/webhooks/schedule.ts';
import { test } from '#test/test.ts';

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
