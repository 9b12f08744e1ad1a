import { LRUCache } from 'lru-cache';
import { TokenBucket } from './token-bucket.ts';

/** Time in milliseconds for which the last admission or refusal of a key predicts the outcome of the next call. */
const TRUST_MS = 60_000;
const MAX_KEYS = 20_000;

/**
 * In-process limits for a key that Postgres has recognized. They do not authorize calls: they only refuse calls over a
 * limit and allow prefetching.
 */
export class KnownKey {
  /** Organization of the key. Calls with any of its keys share a queue. */
  readonly organizationId: number;
  /** Limits calls that cost no units. */
  readonly #uncharged: TokenBucket;
  /** Limits response bytes of free operations. */
  readonly freeBytes: TokenBucket;
  /** Time of the last admission by operation id. */
  readonly #admitted = new Map<string, number>();
  #refused = Number.NEGATIVE_INFINITY;
  /** Time at which a call that costs units was last refused. */
  #refusedUnits = Number.NEGATIVE_INFINITY;
  #isPrefetching = false;

  constructor(organizationId: number, unchargedPerMinute: number, freeBytesPerMinute: number, now: number) {
    this.organizationId = organizationId;
    this.#uncharged = new TokenBucket(unchargedPerMinute, now);
    this.freeBytes = new TokenBucket(freeBytesPerMinute, now);
  }

  admit(operationId: string, now: number): void {
    this.#admitted.set(operationId, now);
  }

  /** @param costsUnits whether the call costs units and was therefore not yet counted as an uncharged call */
  refuse(now: number, costsUnits: boolean): void {
    this.#refused = now;
    if (!costsUnits) return;
    this.#refusedUnits = now;
    this.#uncharged.take(now);
  }

  countUnchargedCall(now: number): void {
    this.#uncharged.take(now);
  }

  /**
   * Returns the seconds until a call is allowed, or 0 if it is allowed now. The limit applies to calls that cost no
   * units and, for `TRUST_MS` after a call that costs units was refused, to all calls.
   */
  wait(now: number, costsUnits: boolean): number {
    const willCost = costsUnits && now - this.#refusedUnits > TRUST_MS;
    return willCost ? 0 : this.#uncharged.wait(now);
  }

  /**
   * Allows a prefetch before the charge, one at a time and only for recently admitted keys, so that callers over their
   * limits or without access cause no load on OpenSearch.
   * @returns a function to call after the charge or refusal, or null if the data must not be fetched before the charge
   */
  claimPrefetch(operationId: string, now: number): (() => void) | null {
    const admitted = this.#admitted.get(operationId) ?? Number.NEGATIVE_INFINITY;
    if (this.#isPrefetching || now - this.#refused <= TRUST_MS || now - admitted > TRUST_MS) return null;
    this.#isPrefetching = true;
    return () => {
      this.#isPrefetching = false;
    };
  }
}

/** LRU cache of keys that Postgres has recognized, by hash. */
export class KnownKeys extends LRUCache<string, KnownKey> {
  readonly #unchargedPerMinute: number;
  readonly #freeBytesPerMinute: number;

  constructor(unchargedPerMinute: number, freeBytesPerMinute: number) {
    super({ max: MAX_KEYS });
    this.#unchargedPerMinute = unchargedPerMinute;
    this.#freeBytesPerMinute = freeBytesPerMinute;
  }

  recognize(keyHash: string, organizationId: number, now: number): KnownKey {
    const known =
      this.get(keyHash) ?? new KnownKey(organizationId, this.#unchargedPerMinute, this.#freeBytesPerMinute, now);
    this.set(keyHash, known);
    return known;
  }
}
