import { LRUCache } from 'lru-cache';
import { TokenBucket } from './token-bucket.ts';

/** Milliseconds for which a key that was admitted is expected to be admitted again, and one that was refused, refused. */
const TRUSTED_FOR = 60_000;
const MAX_KEYS = 20_000;

/**
 * What this process remembers of a key that Postgres has recognized. It lets nobody in: it only says who may be made to
 * wait, and whose work may begin early.
 */
export class KnownKey {
  /** Its organization: calls of all keys of one share its turns. */
  readonly organizationId: number;
  /** For calls that cost no units. */
  readonly #uncharged: TokenBucket;
  /** Bytes of operations without a price. */
  readonly freeBytes: TokenBucket;
  /** When it was last admitted, by endpoint. */
  readonly #admitted = new Map<string, number>();
  #refused = Number.NEGATIVE_INFINITY;
  /** When a call that was to cost units was last refused. */
  #refusedUnits = Number.NEGATIVE_INFINITY;
  #isAhead = false;

  constructor(organizationId: number, unchargedPerMinute: number, freeBytesPerMinute: number, now: number) {
    this.organizationId = organizationId;
    this.#uncharged = new TokenBucket(unchargedPerMinute, now);
    this.freeBytes = new TokenBucket(freeBytesPerMinute, now);
  }

  admit(operationId: string, now: number): void {
    this.#admitted.set(operationId, now);
  }

  /** @param wasToCost whether the call was to cost units: then it was not held against calls that cost none yet */
  refuse(now: number, wasToCost: boolean): void {
    this.#refused = now;
    if (!wasToCost) return;
    this.#refusedUnits = now;
    this.#uncharged.take(now);
  }

  takeUncharged(now: number): void {
    this.#uncharged.take(now);
  }

  /**
   * Seconds that a call has to wait; 0: none. Only those wait that cost no units, and those of a key that was refused a
   * moment ago and will be again.
   */
  wait(now: number, costsUnits: boolean): number {
    const willCost = costsUnits && now - this.#refusedUnits > TRUSTED_FOR;
    return willCost ? 0 : this.#uncharged.wait(now);
  }

  /**
   * Lets work begin before the call is charged, for one call at a time: OpenSearch must not work for a caller beyond its
   * limits, or for one whose plan does not include the endpoint.
   * @returns what says that the call has been charged or refused; null when the work may not begin
   */
  runAhead(operationId: string, now: number): (() => void) | null {
    const admitted = this.#admitted.get(operationId) ?? Number.NEGATIVE_INFINITY;
    if (this.#isAhead || now - this.#refused <= TRUSTED_FOR || now - admitted > TRUSTED_FOR) return null;
    this.#isAhead = true;
    return () => {
      this.#isAhead = false;
    };
  }
}

/** The keys that Postgres has recognized, those last seen; by their hash. */
export class KnownKeys {
  readonly #keys = new LRUCache<string, KnownKey>({ max: MAX_KEYS });
  readonly #unchargedPerMinute: number;
  readonly #freeBytesPerMinute: number;

  constructor(unchargedPerMinute: number, freeBytesPerMinute: number) {
    this.#unchargedPerMinute = unchargedPerMinute;
    this.#freeBytesPerMinute = freeBytesPerMinute;
  }

  get(keyHash: string): KnownKey | undefined {
    return this.#keys.get(keyHash);
  }

  recognize(keyHash: string, organizationId: number, now: number): KnownKey {
    const known =
      this.#keys.get(keyHash) ?? new KnownKey(organizationId, this.#unchargedPerMinute, this.#freeBytesPerMinute, now);
    this.#keys.set(keyHash, known);
    return known;
  }

  /** The key does not exist any more. */
  forget(keyHash: string): void {
    this.#keys.delete(keyHash);
  }
}
