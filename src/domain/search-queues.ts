import { RequestError } from './errors.ts';
import { FairQueue } from './fair-queue.ts';
import { StoreError } from './store-error.ts';

/**
 * Limits per process on concurrent and on waiting calls to the search engine. One organization gets at most half of the
 * free queue capacity.
 */
const LOADS = {
  /** Searches, details and counts. The concurrency equals the number of connections to a node. */
  light: { concurrency: 32, waiting: 512 },
  /** A few histograms. Much of their duration is the round trip to the engine. */
  usual: { concurrency: 4, waiting: 128 },
  /**
   * Hundreds of t-digests, which take tens of megabytes of OpenSearch heap. Eight concurrent requests trip the circuit
   * breaker, two do not; a limit above the number of processors does not increase throughput.
   */
  large: { concurrency: 2, waiting: 128 },
} as const;
/**
 * Maximum expected wait in milliseconds at a timeout factor of 1. Calls with a longer expected wait are rejected.
 */
const MAX_EXPECTED_WAIT_MS = 2_000;
/**
 * Weight of the latest call in the moving average of call durations. A call counts as at most `MAX_COUNTED_FACTOR`
 * times the average, so that a short engine outage does not count as lasting slowness.
 */
const LATEST_CALL_WEIGHT = 0.1;
const MAX_COUNTED_FACTOR = 2;

/** Cost class of a call for the search engine. Each class has its own queue. */
export type Load = keyof typeof LOADS;

/** Seconds after which a rejected call may be retried. */
const RETRY_AFTER_S = 1;

/** A call was rejected because too many other calls are waiting. */
export class OverloadError extends RequestError {
  constructor() {
    super('internal_error', {
      message:
        'Too many expensive calls wait to be served. Retry after the number of seconds in the Retry-After header, with fewer at a time.',
      retryAfterS: RETRY_AFTER_S,
    });
  }
}

/** A call that waits for a slot. */
export interface Requester {
  /** Requesters with the same name (an organization) share the slots of that name. */
  name: string;
  /** Resolves when the call is charged. Before that, the call may wait in a queue but must not cause work. */
  charged: Promise<void>;
  /** Aborted when the result is no longer needed. */
  signal?: AbortSignal;
  /** Called when the call has entered a queue. */
  queued(): void;
}

/** A queue position that later becomes one of the slots for concurrent calls. */
export interface Slot {
  /** Resolves when the call may start. */
  begun: Promise<void>;
  readonly hasBegun: boolean;
  /** Frees the slot or leaves the queue. Repeated calls have no effect. */
  leave(): void;
}

/** Creates a requester for work inside the process, which is neither charged nor cancelled. */
export const internalRequester = (name: string): Requester => ({
  name,
  charged: Promise.resolve(),
  queued: () => {},
});

/** Limits calls to the search engine, round robin between organizations. */
export class SearchQueues {
  readonly #queues: Readonly<Record<Load, LoadQueue>>;
  #refused = 0;

  /** @param onBegin called with the milliseconds that a call waited when its turn begins */
  constructor(timeoutFactor: number, onBegin: (load: Load, waitedMs: number) => void = () => {}) {
    const maxWaitMs = timeoutFactor * MAX_EXPECTED_WAIT_MS;
    const queueOf = (load: Load) => new LoadQueue(load, maxWaitMs, (waitedMs) => onBegin(load, waitedMs));
    this.#queues = { light: queueOf('light'), usual: queueOf('usual'), large: queueOf('large') };
  }

  /** Whether no call of the loads `usual` and `large` is running or waiting. */
  get isIdle(): boolean {
    return this.#queues.usual.isIdle && this.#queues.large.isIdle;
  }

  get refused(): number {
    return this.#refused;
  }

  queues(): { load: Load; running: number; waiting: number }[] {
    return (Object.keys(LOADS) as Load[]).map((load) => ({ load, ...this.#queues[load].size }));
  }

  /** @throws OverloadError if the queue is full or the expected wait is too long */
  enter(load: Load, name: string): Slot {
    const slot = this.#queues[load].enter(name);
    if (slot) return slot;
    this.#refused++;
    throw new OverloadError();
  }
}

class LoadQueue {
  readonly #concurrency: number;
  readonly #maxWaitMs: number;
  readonly #onBegin: (waitedMs: number) => void;
  readonly #queue: FairQueue<() => void>;
  #running = 0;
  /** Moving average of call durations. */
  #workMs = 0;

  constructor(load: Load, maxWaitMs: number, onBegin: (waitedMs: number) => void) {
    const { concurrency, waiting } = LOADS[load];
    this.#concurrency = concurrency;
    this.#maxWaitMs = maxWaitMs;
    this.#onBegin = onBegin;
    this.#queue = new FairQueue({ waiting });
  }

  get size(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#queue.waiting };
  }

  get isIdle(): boolean {
    return this.#running + this.#queue.waiting === 0;
  }

  /** Returns null if the queue is full or the expected wait is too long. */
  enter(name: string): Slot | null {
    if (this.#queue.refusal(name) !== null || this.#expectedWaitMs(name) > this.#maxWaitMs) return null;
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const enteredAt = performance.now();
    let beganAt: number | null = null;
    let left = false;
    const remove = this.#queue.add(name, () => {
      beganAt = performance.now();
      this.#onBegin(beganAt - enteredAt);
      this.#running++;
      resolve();
    });
    const leave = (): void => {
      if (left) return;
      left = true;
      if (beganAt === null) remove();
      else this.#end(performance.now() - beganAt);
    };
    this.#begin();
    return {
      begun,
      leave,
      get hasBegun() {
        return beganAt !== null;
      },
    };
  }

  /**
   * Names are served round robin. Therefore the nth waiting call of a name waits for at most n calls of each other
   * name.
   */
  #expectedWaitMs(name: string): number {
    const ahead = Math.min(this.#queue.waiting, (this.#queue.waitingOf(name) + 1) * this.#queue.names);
    return (ahead * this.#workMs) / this.#concurrency;
  }

  #begin(): void {
    while (this.#running < this.#concurrency) {
      const taken = this.#queue.take(1, 1);
      if (!taken) return;
      // Marked as done at once, because several calls of one name may run concurrently.
      taken.done();
      for (const begin of taken.items) begin();
    }
  }

  #end(workMs: number): void {
    const counted = this.#workMs === 0 ? workMs : Math.min(workMs, MAX_COUNTED_FACTOR * this.#workMs);
    this.#workMs += (this.#workMs === 0 ? 1 : LATEST_CALL_WEIGHT) * (counted - this.#workMs);
    this.#running--;
    this.#begin();
  }
}

/**
 * Waits until a deadline (a `performance.now()` timestamp), or until the requester leaves.
 * @throws StoreError if the promise is not settled by then
 */
export async function waitFor<T>(
  promise: Promise<T>,
  { signal }: Pick<Requester, 'signal'>,
  deadline: number,
): Promise<T> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const fail = (reason: string) => reject(new StoreError('opensearch', true, new Error(reason)));
  const leave = () => fail('the client disconnected');
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(() => fail('the result did not arrive in time'), Math.max(1, deadline - performance.now()));
  try {
    return await Promise.race([promise, failed]);
  } finally {
    // Not in `promise.finally()`, because the promise may never settle.
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}
