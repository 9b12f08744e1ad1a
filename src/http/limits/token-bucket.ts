/** Token bucket. Times are milliseconds of a monotonic clock. */
export class TokenBucket {
  readonly #perMinute: number;
  #tokens: number;
  #at: number;

  /** @param perMinute tokens refilled per minute, and the capacity */
  constructor(perMinute: number, now: number) {
    this.#perMinute = perMinute;
    this.#tokens = perMinute;
    this.#at = now;
  }

  /** Returns the seconds until a token is available; 0 if one is available now. */
  wait(now: number): number {
    this.#refill(now);
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) * 60) / this.#perMinute);
  }

  /**
   * Takes tokens. The balance may become negative, down to minus the capacity, because concurrent calls are counted after
   * the check.
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
