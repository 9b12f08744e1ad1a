/** Token bucket. Times are in milliseconds of a monotonic clock. */
export class TokenBucket {
  readonly #perMinute: number;
  #tokens: number;
  #at: number;

  /** @param perMinute number of tokens added per minute, and the capacity */
  constructor(perMinute: number, now: number) {
    this.#perMinute = perMinute;
    this.#tokens = perMinute;
    this.#at = now;
  }

  /** Returns the seconds until a token is available, or 0 if one is available now. */
  wait(now: number): number {
    this.#refill(now);
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) * 60) / this.#perMinute);
  }

  /**
   * Takes tokens. Concurrent calls are counted after the check, so the balance may become negative, but not lower than
   * minus the capacity.
   */
  take(now: number, count = 1): void {
    this.#refill(now);
    this.#tokens = Math.max(-this.#perMinute, this.#tokens - count);
  }

  #refill(now: number): void {
    this.#tokens = Math.min(this.#perMinute, this.#tokens + ((now - this.#at) * this.#perMinute) / 60_000);
    this.#at = now;
  }
}
