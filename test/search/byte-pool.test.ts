import fc from 'fast-check';
import { BytePool } from '#search/byte-pool.ts';
import { test } from '#test/test.ts';

test('an allocated buffer has at least the requested size and is not shared', (t) => {
  const sizes = fc.array(fc.tuple(fc.integer({ min: 0, max: 5_000_000 }), fc.boolean()), {
    maxLength: 40,
    size: 'max',
  });
  t.notThrows(() =>
    fc.assert(
      fc.property(sizes, (steps) => {
        const pool = new BytePool();
        const held = new Set<ArrayBufferLike>();
        for (const [bytes, free] of steps) {
          const buffer = pool.allocate(bytes);
          if (buffer.length < bytes || held.has(buffer.buffer)) return false;
          if (free) pool.free(buffer);
          else held.add(buffer.buffer);
        }
        return true;
      }),
      { numRuns: 50 },
    ),
  );
});

test('a freed buffer is reused, and a part of a buffer is not', (t) => {
  const pool = new BytePool();
  const first = pool.allocate(100_000);
  pool.free(first);
  t.is(pool.allocate(90_000), first);
  const part = pool.allocate(100_000).subarray(0, 90_000);
  pool.free(part);
  t.not(pool.allocate(90_000), part);
});
