import { createRandomBytes } from '#crypto/random-bytes.ts';
import { test } from '#test/test.ts';

test('random bytes of any size are never returned twice, and never overwritten', (t) => {
  const random = createRandomBytes();
  const seen = new Set<string>();
  const returned: [bytes: Uint8Array, text: string][] = [];
  for (let round = 0; round < 500; round++) {
    for (const size of [12, 12, 60, 4_096, 12, 5_000, 4_090, 12]) {
      const bytes = random(size);
      t.is(bytes.length, size);
      seen.add(Buffer.from(bytes.subarray(0, 12)).toString('hex'));
      returned.push([bytes, bytes.join()]);
    }
  }
  t.is(seen.size, returned.length);
  t.true(returned.every(([bytes, text]) => bytes.join() === text));
});
