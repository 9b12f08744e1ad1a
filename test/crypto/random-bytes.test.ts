import { createRandomBytes } from '#crypto/random-bytes.ts';
import { test } from '#test/test.ts';

test('random bytes of any size are never returned twice', (t) => {
  const random = createRandomBytes();
  const seen = new Set<string>();
  const sizes = [12, 12, 60, 4_096, 12, 5_000, 4_090, 12];
  let given = 0;
  for (let round = 0; round < 500; round++) {
    for (const size of sizes) {
      const bytes = random(size);
      t.is(bytes.length, size);
      seen.add(Buffer.from(bytes.subarray(0, 12)).toString('hex'));
      given++;
    }
  }
  t.is(seen.size, given);
});

test('returned random bytes are not overwritten by later calls', (t) => {
  const random = createRandomBytes();
  const first = random(16);
  const copy = Buffer.from(first);
  for (let round = 0; round < 1_000; round++) random(16);
  t.deepEqual(Buffer.from(first), copy);
});
