import { randomFillSync } from 'node:crypto';

const STORE = 4_096;

/** A random number from 0 to below 1. */
export const randomShare = (random: (size: number) => Uint8Array): number =>
  Buffer.from(random(4)).readUInt32LE(0) / 2 ** 32;

/**
 * Random bytes for keys and ids, read from the system's generator a page at a time: reading the dozen bytes of each
 * request alone costs as much as hashing its key. Bytes are handed out once and then erased.
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
