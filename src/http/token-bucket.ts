/** Tokens that are taken one by one and come back over time. Time is in milliseconds of a clock that only goes forward. */
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

  /** Takes a token, also one that is not there: what was under way already is paid for later, within reason. */
  take(now: number): void {
    this.#refill(now);
    this.#tokens = Math.max(-this.#perMinute, this.#tokens - 1);
  }

  #refill(now: number): void {
    this.#tokens = Math.min(this.#perMinute, this.#tokens + ((now - this.#at) * this.#perMinute) / 60_000);
    this.#at = now;
  }
}
