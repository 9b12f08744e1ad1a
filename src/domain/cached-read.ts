/** How long requests within a process share a read. */
const SHARED_MS = 100;

interface Reading<T> {
  begun: number;
  value: Promise<T>;
}

/**
 * A datastore read that many requests share. Requests within `SHARED_MS` (or `ms`) of the start of a read receive its
 * result, even if it still runs.
 */
export class CachedRead<T> {
  readonly #read: () => Promise<T>;
  readonly #ms: number;
  #latest: Reading<T> | null = null;

  constructor(read: () => Promise<T>, ms = SHARED_MS) {
    this.#read = read;
    this.#ms = ms;
  }

  /** @throws any error from the read */
  read(): Promise<T> {
    const shared = this.#shared();
    if (shared) return shared.value;
    const value = this.#read();
    const reading: Reading<T> = { begun: performance.now(), value };
    this.#latest = reading;
    value.catch(() => {
      if (this.#latest === reading) this.#latest = null;
    });
    return value;
  }

  clear(): void {
    this.#latest = null;
  }

  #shared(): Reading<T> | null {
    return this.#latest !== null && performance.now() - this.#latest.begun <= this.#ms ? this.#latest : null;
  }
}
