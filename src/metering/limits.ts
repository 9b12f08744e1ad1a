import { LRUCache } from 'lru-cache';
import type { Caller } from './charge-statement.ts';
import { RateLimit } from './rate-limit.ts';

/** Milliseconds for which an admission or failure of a key predicts its next call. */
const TRUST_MS = 60_000;
const MAX_KEYS = 20_000;

/** Calls or bytes per minute. */
interface Rates {
  unknownKeys: number;
  unchargedCalls: number;
  freeBytes: number;
  pageViews: number;
}

/** Times are `performance.now()` timestamps. */
interface CachedKey {
  caller: Caller;
  admittedAt: number;
  /** Last refusal or failure of a call that would have cost units. */
  failedAt: number;
}

/** Nothing is authorized here: calls over a limit are refused, others may load. */
export class CallerLimits {
  /** Calls with unknown keys, and lookups of exposed keys, by address. */
  readonly unknownKeys: RateLimit;
  readonly exposedKeys: RateLimit;
  /** Pages that query the datastores, and links to ads, by address. */
  readonly pageViews: RateLimit;
  /** Response bytes of documents that require no key by address, and of free operations by key. */
  readonly documentBytes: RateLimit;
  readonly freeBytes: RateLimit;
  /** Calls that cost no units, by key. */
  readonly #uncharged: RateLimit;
  readonly #keys = new LRUCache<string, CachedKey>({ max: MAX_KEYS });

  constructor({ unknownKeys, unchargedCalls, freeBytes, pageViews }: Rates) {
    this.unknownKeys = new RateLimit(unknownKeys);
    this.exposedKeys = new RateLimit(unknownKeys);
    this.pageViews = new RateLimit(pageViews);
    this.documentBytes = new RateLimit(freeBytes);
    this.freeBytes = new RateLimit(freeBytes);
    this.#uncharged = new RateLimit(unchargedCalls);
  }

  /** @param isTrusted whether the next call may load before its charge; null if this is unchanged */
  recognize(name: string, caller: Caller, isTrusted: boolean | null): void {
    const { admittedAt = -Infinity, failedAt = -Infinity } = this.#keys.get(name) ?? {};
    this.#keys.set(name, {
      caller,
      admittedAt: isTrusted ? performance.now() : isTrusted === null ? admittedAt : -Infinity,
      failedAt,
    });
  }

  forget(name: string): void {
    this.#keys.delete(name);
  }

  /** Null if Postgres has not recognized the key recently. */
  account(name: string): Caller | null {
    return this.#keys.get(name)?.caller ?? null;
  }

  /** Null if the account must be looked up before a load. */
  admitted(name: string): Caller | null {
    const known = this.#keys.get(name);
    return known && performance.now() - known.admittedAt <= TRUST_MS ? known.caller : null;
  }

  /** @param hasFailed whether the call would have cost units if it had succeeded */
  countUncharged(name: string, hasFailed: boolean): void {
    const known = this.#keys.get(name);
    if (!known) return;
    if (hasFailed) known.failedAt = performance.now();
    this.#uncharged.take(name);
  }

  /**
   * Seconds until a call is allowed. The limit applies to calls of 0 units and, for `TRUST_MS` after a failed call, to
   * all.
   */
  wait(name: string, costsUnits: boolean): number {
    const { failedAt = -Infinity } = this.#keys.get(name) ?? {};
    return costsUnits && performance.now() - failedAt > TRUST_MS ? 0 : this.#uncharged.wait(name);
  }
}
