import { randomFillSync } from 'node:crypto';

const STORE = 4_096;

/**
 * Random bytes for keys and ids, taken from the system's generator by the page: asking it for the dozen bytes of each
 * request costs as much as hashing its key. What was given out is never given again, and not kept.
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
