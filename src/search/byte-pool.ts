/** Smallest and largest buffers kept, as powers of two; larger ones are made and forgotten. */
const SMALLEST = 14;
const LARGEST = 21;
/** Buffers of one size kept for later. */
const KEPT = 16;

/**
 * Large buffers that are used again. Pages of listings come and go by the hundred thousand bytes; made anew for each
 * request, they set off a full collection every few dozen requests.
 */
export class BytePool {
  readonly #kept: Buffer[][] = [];

  /** A buffer of at least so many bytes, holding whatever it last held. */
  allocate(bytes: number): Buffer {
    const size = Math.max(SMALLEST, 32 - Math.clz32(Math.max(0, bytes - 1)));
    return this.#kept[size]?.pop() ?? Buffer.allocUnsafeSlow(size > LARGEST ? bytes : 2 ** size);
  }

  /** Takes a buffer back, to be handed out again: nobody may use it any more. A buffer that is never freed does no harm. */
  free(buffer: Buffer): void {
    const size = 31 - Math.clz32(buffer.length);
    if (2 ** size !== buffer.length || size > LARGEST || size < SMALLEST) return;
    this.#kept[size] ??= [];
    const kept = this.#kept[size];
    if (kept.length < KEPT) kept.push(buffer);
  }
}

/** Parts one behind the other, in memory of the pool; call `free` when the bytes have been used. */
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
