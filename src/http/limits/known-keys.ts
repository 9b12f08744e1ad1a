import { LRUCache } from 'lru-cache';
import type { Caller } from '#metering/charge.ts';
import { TokenBucket } from './token-bucket.ts';

/** Time in milliseconds for which the last admission or failure of a key predicts the outcome of the next call. */
const TRUST_MS = 60_000;
const MAX_KEYS = 20_000;

/** A key that Postgres has recognized. Nothing is authorized here: calls over a limit are refused, others may load. */
export class KnownKey {
  /** The account of the key, as of the last response from Postgres. */
  caller: Caller;
  /** Limits calls that cost no units. */
  readonly #uncharged: TokenBucket;
  /** Limits response bytes of free operations. */
  readonly freeBytes: TokenBucket;
  #admittedAt = Number.NEGATIVE_INFINITY;
  /** Time at which a call that would have cost units was last refused or failed. */
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(caller: Caller, unchargedPerMinute: number, freeBytesPerMinute: number, now: number) {
    this.caller = caller;
    this.#uncharged = new TokenBucket(unchargedPerMinute, now);
    this.freeBytes = new TokenBucket(freeBytesPerMinute, now);
  }

  admit(caller: Caller, now: number): void {
    this.caller = caller;
    this.#admittedAt = now;
  }

  /** Requires a lookup before the next load. */
  revoke(): void {
    this.#admittedAt = Number.NEGATIVE_INFINITY;
  }

  /** Returns the account with which calls may load before they are charged, or null if it must be looked up. */
  admitted(now: number): Caller | null {
    return now - this.#admittedAt <= TRUST_MS ? this.caller : null;
  }

  /** Counts a call that costs no units. @param failed whether it would have cost units if it had succeeded */
  countUncharged(now: number, failed: boolean): void {
    if (failed) this.#failedAt = now;
    this.#uncharged.take(now);
  }

  /**
   * Returns the seconds until a call is allowed, or 0 if it is allowed now. The limit applies to calls that cost no
   * units and, for `TRUST_MS` after a failed call, to all calls.
   */
  wait(now: number, costsUnits: boolean): number {
    return costsUnits && now - this.#failedAt > TRUST_MS ? 0 : this.#uncharged.wait(now);
  }
}

/** LRU cache of keys that Postgres has recognized, by hash. */
export class KnownKeys extends LRUCache<string, KnownKey> {
  readonly #create: (caller: Caller) => KnownKey;

  constructor(unchargedPerMinute: number, freeBytesPerMinute: number) {
    super({ max: MAX_KEYS });
    this.#create = (caller) => new KnownKey(caller, unchargedPerMinute, freeBytesPerMinute, performance.now());
  }

  recognize(keyHash: string, caller: Caller): KnownKey {
    const known = this.get(keyHash) ?? this.#create(caller);
    known.caller = caller;
    this.set(keyHash, known);
    return known;
  }
}
