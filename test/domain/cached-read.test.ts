import { CachedRead, SHARED_MS } from '#domain/cached-read.ts';
import { test } from '#test/test.ts';

/** Creates a shared read that returns how often it ran, with a clock set by the test. */
function counted() {
  const state = { now: 0, read: 0, fails: false };
  const shared = new CachedRead(
    async () => {
      if (state.fails) throw new Error('unavailable');
      return ++state.read;
    },
    () => state.now,
  );
  return { state, shared };
}

test('concurrent requests and requests within the cache lifetime share one read', async (t) => {
  const { state, shared } = counted();
  t.deepEqual(await Promise.all([shared.read(), shared.read(), shared.read()]), [1, 1, 1]);
  state.now = SHARED_MS;
  t.is(await shared.read(), 1);
  state.now++;
  t.is(await shared.read(), 2);
});

test('an error is returned to all waiting requests and is not cached', async (t) => {
  const { state, shared } = counted();
  state.fails = true;
  const both = await Promise.allSettled([shared.read(), shared.read()]);
  t.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  state.fails = false;
  t.is(await shared.read(), 1);
});
