import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

const MAX_CALLERS = 20_000;

/** Token bucket for each address, key or session. Names have no colon. */
export class RateLimit {
  readonly #buckets = new LRUCache<string, { tokens: number; at: number }>({ max: MAX_CALLERS });
  readonly #perMinute: number;

  /** @param perMinute calls or bytes, and the capacity of a bucket */
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Seconds until the caller may call again. */
  wait(caller: string | null, now = performance.now()): number {
    const tokens = this.#tokens(networkOf(caller), now);
    return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 60) / this.#perMinute);
  }

  /** Concurrent calls may lower the balance to minus the capacity. */
  take(caller: string | null, count = 1, now = performance.now()): void {
    const name = networkOf(caller);
    this.#buckets.set(name, { tokens: Math.max(-this.#perMinute, this.#tokens(name, now) - count), at: now });
  }

  #tokens(name: string, now: number): number {
    const { tokens, at } = this.#buckets.get(name) ?? { tokens: this.#perMinute, at: now };
    return Math.min(this.#perMinute, tokens + ((now - at) * this.#perMinute) / 60_000);
  }
}

/** A client controls an entire /64 of IPv6. */
export function networkOf(name: string | null): string {
  if (name === null) return 'unknown';
  return name.includes(':') ? ipaddr.IPv6.networkAddressFromCIDR(`${name}/64`).toString() : name;
}
