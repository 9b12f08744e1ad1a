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
