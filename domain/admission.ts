import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Milliseconds of a window. */
export const WINDOW_MS = 250;
/** Share of a window in which the event loop does not wait for events, above which requests wait for each other. */
const BUSY = 0.9;
/** Consecutive windows after which requests are refused, at a timeout factor of 1: a burst is no overload. */
const PATIENCE = 8;
/** Requests of a window that are never too many: what delays those is no number of requests. */
const LEAST = 100;
/** Factors of the limit after a window that was busy, and after one that was not. */
const FALL = 0.9;
const GROWTH = 1.1;
/** Keys that have a part of their own. */
const MAX_KEYS = 10_000;
/** Requests without a key, and with keys that no call has shown to be valid: new ones would be new senders otherwise. */
const OTHERS = '';

/**
 * Limits the requests that a process begins while its event loop has hardly any time left. The reads that these cause
 * are limited by `ReadQueues`, but a request that those refuse was decoded before, for a sixth of the work of a served one:
 * several times the capacity would leave no time to serve any. The limit falls and rises by factors; each key may
 * always begin its part of it.
 */
export class Admission {
  /** Requests of a window. */
  #limit = Number.POSITIVE_INFINITY;
  #busyWindows = 0;
  readonly #patience: number;
  #begun = 0;
  #refusedInWindow = 0;
  #refused = 0;
  #senders = new Map<string, number>();
  readonly #keys = new LRUCache<string, true>({ max: MAX_KEYS });
  /** A sender's part of the limit, by the number of senders of the previous window. */
  #part = Number.POSITIVE_INFINITY;

  constructor({ timeoutFactor = 1 }: { timeoutFactor?: number } = {}) {
    this.#patience = timeoutFactor * PATIENCE;
  }

  /** Since the process began. */
  get refused(): number {
    return this.#refused;
  }

  /** Gives a key that is valid a part of its own. */
  recognize(authorization: string): void {
    if (authorization !== '') this.#keys.set(digestOf(authorization), true);
  }

  /** Whether a request with this `Authorization` header may begin, and counts it. */
  admits(authorization = ''): boolean {
    const digest = authorization === '' ? OTHERS : digestOf(authorization);
    const sender = this.#keys.get(digest) ? digest : OTHERS;
    const ofSender = this.#senders.get(sender) ?? 0;
    if (this.#begun >= this.#limit && ofSender >= this.#part) {
      this.#refusedInWindow++;
      this.#refused++;
      return false;
    }
    this.#begun++;
    this.#senders.set(sender, ofSender + 1);
    return true;
  }

  /** @param utilization share of the window in which the event loop did not wait for events */
  endWindow(utilization: number): void {
    const isBusy = utilization > BUSY && this.#begun >= Math.min(LEAST, this.#limit);
    this.#busyWindows = isBusy ? this.#busyWindows + 1 : 0;
    if (this.#busyWindows >= this.#patience)
      this.#limit = Math.max(LEAST, Math.floor(FALL * Math.min(this.#limit, this.#begun)));
    else if (!isBusy && this.#refusedInWindow > 0) this.#limit = Math.ceil(GROWTH * this.#limit);
    else if (!isBusy) this.#limit = Number.POSITIVE_INFINITY;
    this.#part = Math.floor(this.#limit / Math.max(1, this.#senders.size));
    this.#begun = 0;
    this.#refusedInWindow = 0;
    this.#senders = new Map();
  }
}

/** Keys are not kept in memory. */
const digestOf = (authorization: string): string => hash('sha256', authorization, 'base64url');
