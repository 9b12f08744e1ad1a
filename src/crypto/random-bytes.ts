import { randomFillSync } from 'node:crypto';

const STORE = 4_096;

/** Returns a random number in [0, 1). */
export const randomShare = (random: (size: number) => Uint8Array): number =>
  Buffer.from(random(4)).readUInt32LE(0) / 2 ** 32;

/**
 * Creates a generator of random bytes for keys and ids. It reads 4,096 bytes at a time from the system's generator,
 * because reading a dozen bytes for each request takes as long as hashing the key of the request. Each byte is returned
 * once and then erased.
 */
export function createRandomBytes(): (size: number) => Uint8Array {
  const store = new Uint8Array(STORE);
  let used = STORE;
  return (size) => {
    if (size > STORE) return randomFillSync(new Uint8Array(size));
    if (used + size > STORE) {
      randomFillSync(store);
      used = 0;
    }
    const bytes = store.slice(used, used + size);
    store.fill(0, used, used + size);
    used += size;
    return bytes;
  };
}
