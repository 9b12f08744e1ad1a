import { LRUCache } from 'lru-cache';

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

/**
 * Reads that calls share by a key for `ms` milliseconds, of which the most recent `max` are retained. If one fails, as
 * its client has disconnected, the calls that share it read themselves.
 */
export class SharedReads<T extends object> {
  readonly #reads: LRUCache<string, Promise<T>>;

  constructor(max: number, ms: number) {
    this.#reads = new LRUCache({ max, ttl: ms });
  }

  read(key: string, read: () => Promise<T>): Promise<T> {
    const shared = this.#reads.get(key);
    if (shared) return shared.catch(() => read());
    const value = read();
    this.#reads.set(key, value);
    value.catch(() => this.#reads.delete(key));
    return value;
  }
}
