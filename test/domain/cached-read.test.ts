import { CachedRead } from '#domain/cached-read.ts';
import { test } from '#test/test.ts';

test('requests share a read, and an error is returned to all that wait and is not cached', async (t) => {
  let reads = 0;
  let fails = true;
  const shared = new CachedRead(async () => {
    reads++;
    if (fails) throw new Error('unavailable');
    return reads;
  }, Number.POSITIVE_INFINITY);
  const both = await Promise.allSettled([shared.read(), shared.read()]);
  t.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  fails = false;
  t.is(await shared.read(), 2);
  t.is(await shared.read(), 2);
});
