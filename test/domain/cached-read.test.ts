import { CachedRead, SharedReads } from '#domain/cached-read.ts';
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

test('calls share a read by its key, and read themselves if it fails', async (t) => {
  const reads: string[] = [];
  const shared = new SharedReads<{ by: string }>(2, 60_000);
  const read = (key: string, by: string, fails = false) =>
    shared.read(key, async () => {
      reads.push(by);
      if (fails) throw new Error('disconnected');
      return { by };
    });
  const [failed, other] = await Promise.allSettled([read('a', 'first', true), read('a', 'second')]);
  t.deepEqual([failed.status, other.status], ['rejected', 'fulfilled']);
  t.deepEqual(await Promise.all([read('a', 'third'), read('a', 'fourth'), read('b', 'fifth')]), [
    { by: 'third' },
    { by: 'third' },
    { by: 'fifth' },
  ]);
  await read('c', 'sixth');
  t.is((await read('a', 'seventh')).by, 'seventh', 'the least recent is not retained');
  t.deepEqual(reads, ['first', 'second', 'third', 'fifth', 'sixth', 'seventh']);
});
