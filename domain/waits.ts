import { RequestError } from './errors.ts';

/** Waiting calls: of a key, and of a process. Further ones of a process do not wait. */
const PER_KEY = 2;
const PER_PROCESS = 5_000;
/** Calls whose wait is over continue in groups, so that a publication does not fill the queues. */
const CHECK_MS = 200;
const PER_CHECK = 50;

const TOO_MANY = new RequestError('rate_limited', {
  message: `At most ${PER_KEY} calls of a key wait at a time. Wait for their responses, or send the call with \`wait_s=0\`.`,
  param: 'wait_s',
  retryAfterS: 5,
});

export interface Wait {
  ms: number;
  /** Whether there is something to return. */
  isOver(): boolean;
}

interface Waiting {
  wait: Wait;
  /** `performance.now()` timestamp. */
  until: number;
  end: () => void;
}

/** Calls that wait before they are admitted, outside of all queues. A waiting call sends no query. */
export class Waits {
  readonly #waiting = new Set<Waiting>();
  readonly #keys = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * @param signal aborted when the client disconnects
   * @throws RequestError if the key has too many waiting calls
   */
  async wait(key: string, wait: Wait, signal: AbortSignal): Promise<void> {
    if (this.#ended || this.#waiting.size >= PER_PROCESS || wait.isOver() || signal.aborted) return;
    const held = this.#keys.get(key) ?? 0;
    if (held >= PER_KEY) throw TOO_MANY;
    this.#keys.set(key, held + 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = (): void => resolve();
    const waiting = { wait, until: performance.now() + wait.ms, end };
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS).unref();
    signal.addEventListener('abort', end, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', end);
      this.#waiting.delete(waiting);
      const left = (this.#keys.get(key) ?? 1) - 1;
      if (left === 0) this.#keys.delete(key);
      else this.#keys.set(key, left);
    }
  }

  /** Ends all waits, also future ones: the process stops. */
  end(): void {
    this.#ended = true;
    for (const { end } of this.#waiting) end();
  }

  #check(): void {
    const now = performance.now();
    let continued = 0;
    for (const { wait, until, end } of this.#waiting) {
      if (continued >= PER_CHECK) break;
      if (now < until && !wait.isOver()) continue;
      end();
      continued++;
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
