/** Sizes of the smallest and largest pooled buffers in bytes, as exponents of two. Larger ones are not pooled. */
const SMALLEST = 14;
const LARGEST = 21;
const KEPT = 16;

/** A pool of large buffers. New buffers for each page of listings would cause frequent full garbage collections. */
export class BytePool {
  readonly #kept: Buffer[][] = [];

  /** Returns a buffer of at least `bytes` bytes with uninitialized content. */
  allocate(bytes: number): Buffer {
    const size = Math.max(SMALLEST, 32 - Math.clz32(Math.max(0, bytes - 1)));
    return this.#kept[size]?.pop() ?? Buffer.allocUnsafeSlow(size > LARGEST ? bytes : 2 ** size);
  }

  /** Returns a buffer to the pool; the caller must not use it afterwards. Unfreed buffers are garbage-collected. */
  free(buffer: Buffer): void {
    const size = 31 - Math.clz32(buffer.length);
    if (2 ** size !== buffer.length || size > LARGEST || size < SMALLEST) return;
    this.#kept[size] ??= [];
    const kept = this.#kept[size];
    if (kept.length < KEPT) kept.push(buffer);
  }
}

/** Call `free` when the bytes are no longer needed. */
export function joinBytes(
  pool: BytePool,
  parts: readonly Uint8Array[],
): { bytes: readonly [Buffer]; free: () => void } {
  const memory = pool.allocate(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    memory.set(part, at);
    at += part.length;
  }
  return { bytes: [memory.subarray(0, at)], free: () => pool.free(memory) };
}
