/** How long requests within a process share a read. */
const SHARED_MS = 100;

/**
 * A datastore read that many requests share. Requests within `SHARED_MS` (or `ms`) of the start of a read receive its
 * result, even if it still runs.
 */
export class CachedRead<T> {
  readonly #read: () => Promise<T>;
  readonly #ms: number;
  #latest: { begun: number; value: Promise<T> } | null = null;

  constructor(read: () => Promise<T>, ms = SHARED_MS) {
    this.#read = read;
    this.#ms = ms;
  }

  read(): Promise<T> {
    const now = performance.now();
    if (this.#latest !== null && now - this.#latest.begun <= this.#ms) return this.#latest.value;
    const latest = { begun: now, value: this.#read() };
    this.#latest = latest;
    latest.value.catch(() => {
      if (this.#latest === latest) this.#latest = null;
    });
    return latest.value;
  }

  clear(): void {
    this.#latest = null;
  }
}
