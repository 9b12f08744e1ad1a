/** Milliseconds for which one read serves the requests of a process. */
export const SHARED_MS = 100;

interface Reading<T> {
  /** Time of the request. */
  begun: number;
  value: Promise<T>;
  /** The result; undefined until it is read. */
  cached: T | undefined;
}

/**
 * A read from a store that many requests share: one at a time, cached for a moment. Results are older than those of a separate
 * read by at most `SHARED_MS`, or `ms` if set.
 */
export class CachedRead<T> {
  readonly #read: () => Promise<T>;
  readonly #now: () => number;
  readonly #ms: number;
  #latest: Reading<T> | null = null;

  /** @param now milliseconds of a clock that never goes back */
  constructor(read: () => Promise<T>, now = () => performance.now(), ms = SHARED_MS) {
    this.#read = read;
    this.#now = now;
    this.#ms = ms;
  }

  /** The cached result, if any. */
  get cached(): T | undefined {
    return this.#shared()?.cached;
  }

  /** Returns the cached result, or reads it. @throws errors of the read */
  read(): Promise<T> {
    const shared = this.#shared();
    if (shared) return shared.value;
    const value = this.#read().then((cached) => {
      reading.cached = cached;
      return cached;
    });
    const reading: Reading<T> = { begun: this.#now(), value, cached: undefined };
    this.#latest = reading;
    value.catch(() => {
      if (this.#latest === reading) this.#latest = null;
    });
    return value;
  }

  /** Caches a result of another read. @param begun time of that request */
  offer(cached: T, begun: number): void {
    if (this.#latest === null || this.#latest.begun < begun)
      this.#latest = { begun, value: Promise.resolve(cached), cached };
  }

  clear(): void {
    this.#latest = null;
  }

  #shared(): Reading<T> | null {
    return this.#latest !== null && this.#now() - this.#latest.begun <= this.#ms ? this.#latest : null;
  }
}
