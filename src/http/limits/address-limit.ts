import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { TokenBucket } from './token-bucket.ts';

const MAX_ADDRESSES = 20_000;

/** Rate limit by client network, for calls or bytes. */
export class AddressLimit {
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: MAX_ADDRESSES });
  readonly #perMinute: number;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Returns the seconds until the address may call again, or 0 if it may call now. */
  wait(ip: string | null): number {
    return this.#buckets.get(networkOf(ip))?.wait(performance.now()) ?? 0;
  }

  take(ip: string | null, count = 1): void {
    const network = networkOf(ip);
    const bucket = this.#buckets.get(network) ?? new TokenBucket(this.#perMinute, performance.now());
    bucket.take(performance.now(), count);
    this.#buckets.set(network, bucket);
  }
}

/**
 * Returns the network of an address: the IPv4 address itself, or the /64 prefix of an IPv6 address, because a client
 * controls its entire /64.
 */
export function networkOf(ip: string | null): string {
  if (ip === null) return 'unknown';
  if (!ip.includes(':')) return ip;
  return ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString();
}
