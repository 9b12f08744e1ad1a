import { hash } from 'node:crypto';

/** Returns a generator (sfc32) of numbers from 0 (inclusive) to 1 (exclusive). Equal texts give equal numbers. */
export function randomFrom(text: string): () => number {
  const seed = hash('sha256', text, 'buffer');
  // The state is in signed integers, because V8 stores 32-bit integers inline and allocates an object for larger
  // values.
  let [a, b, c, d] = [seed.readInt32LE(0), seed.readInt32LE(4), seed.readInt32LE(8), seed.readInt32LE(12)];
  return () => {
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
}
