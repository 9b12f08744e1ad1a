import { LRUCache } from 'lru-cache';

/** Milliseconds for which a key that was admitted is expected to be admitted again. */
const TRUSTED_FOR = 60_000;
const MAX_CALLERS = 10_000;

/**
 * Which keys were admitted at which endpoint a moment ago. It decides only whether work may begin before the call is
 * charged: OpenSearch must not work for a stranger, for a caller beyond its limits, or for one whose plan does not
 * include the endpoint.
 */
export class RecentCallers {
  readonly #admitted: LRUCache<string, true>;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.#admitted = new LRUCache({ max: MAX_CALLERS, ttl: TRUSTED_FOR, ttlResolution: 0, perf: { now } });
  }

  has(keyHash: Buffer, operationId: string): boolean {
    return this.#admitted.has(nameOf(keyHash, operationId));
  }

  admit(keyHash: Buffer, operationId: string): void {
    this.#admitted.set(nameOf(keyHash, operationId), true);
  }

  refuse(keyHash: Buffer, operationId: string): void {
    this.#admitted.delete(nameOf(keyHash, operationId));
  }
}

const nameOf = (keyHash: Buffer, operationId: string): string => `${keyHash.toString('latin1')}${operationId}`;
