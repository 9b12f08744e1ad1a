/** Milliseconds for which one reading serves the requests of a process. */
export const SHARED_MS = 100;

interface Reading<T> {
  /** When it was asked for. */
  begun: number;
  value: Promise<T>;
  /** What it came to; undefined until it is read. */
  known: T | undefined;
}

/**
 * What many requests ask of a store in the same words: one reading at a time, shared for a moment. What is answered is
 * older than a reading of one's own by `SHARED_MS` at most, or by `ms` where that is set.
 */
export class SharedReading<T> {
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

  /** What was read a moment ago, if it has been. */
  get known(): T | undefined {
    return this.#shared()?.known;
  }

  /** What was read a moment ago, or is read now. @throws what reading throws */
  read(): Promise<T> {
    const shared = this.#shared();
    if (shared) return shared.value;
    const value = this.#read().then((known) => {
      reading.known = known;
      return known;
    });
    const reading: Reading<T> = { begun: this.#now(), value, known: undefined };
    this.#latest = reading;
    value.catch(() => {
      if (this.#latest === reading) this.#latest = null;
    });
    return value;
  }

  /** Takes what was read beside something else. @param begun when it was asked for */
  note(known: T, begun: number): void {
    if (this.#latest === null || this.#latest.begun < begun)
      this.#latest = { begun, value: Promise.resolve(known), known };
  }

  forget(): void {
    this.#latest = null;
  }

  #shared(): Reading<T> | null {
    return this.#latest !== null && this.#now() - this.#latest.begun <= this.#ms ? this.#latest : null;
  }
}
