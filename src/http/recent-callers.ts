/** Milliseconds for which a key that was let in is thought to be let in again. */
const TRUSTED_FOR = 60_000;
const MOST = 10_000;

/**
 * Which keys were let in where a moment ago. Nothing is decided by it but whether work may begin before the call is
 * charged: a stranger, a caller beyond its limits, or one whose plan has not the endpoint makes the engine do nothing.
 */
export class RecentCallers {
  readonly #now: () => number;
  readonly #until = new Map<string, number>();

  /** @param now milliseconds of a clock that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  has(keyHash: Buffer, operationId: string): boolean {
    return (this.#until.get(nameOf(keyHash, operationId)) ?? 0) > this.#now();
  }

  admit(keyHash: Buffer, operationId: string): void {
    const key = nameOf(keyHash, operationId);
    // To the end, so that the first is the one longest unseen.
    this.#until.delete(key);
    this.#until.set(key, this.#now() + TRUSTED_FOR);
    const [first] = this.#until.keys();
    if (this.#until.size > MOST && first !== undefined) this.#until.delete(first);
  }

  refuse(keyHash: Buffer, operationId: string): void {
    this.#until.delete(nameOf(keyHash, operationId));
  }
}

const nameOf = (keyHash: Buffer, operationId: string): string => `${keyHash.toString('latin1')}${operationId}`;
