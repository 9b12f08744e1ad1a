/** Tokens that are taken and refilled over time. Time is in milliseconds of a clock that only goes forward. */
export class TokenBucket {
  readonly #perMinute: number;
  #tokens: number;
  #at: number;

  /** @param perMinute tokens that come back in a minute, and that there are at most */
  constructor(perMinute: number, now: number) {
    this.#perMinute = perMinute;
    this.#tokens = perMinute;
    this.#at = now;
  }

  /** Seconds until there is a token; 0: there is one. */
  wait(now: number): number {
    this.#refill(now);
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) * 60) / this.#perMinute);
  }

  /** Takes tokens, also missing ones: what is already in progress is paid for later, up to a minute's worth. */
  take(now: number, count = 1): void {
    this.#refill(now);
    this.#tokens = Math.max(-this.#perMinute, this.#tokens - count);
  }

  #refill(now: number): void {
    this.#tokens = Math.min(this.#perMinute, this.#tokens + ((now - this.#at) * this.#perMinute) / 60_000);
    this.#at = now;
  }
}
