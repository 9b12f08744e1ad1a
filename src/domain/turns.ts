import { RequestError } from './errors.ts';
import { FairQueue } from './fair-queue.ts';
import { StoreError } from './store-error.ts';

/**
 * Limits per process on calls that use the search engine at a time, and on calls that wait for it. One organization gets at
 * most half of the waiting room, and less while others wait.
 */
const LANES = {
  /** Searches, details and counts: as many as there are connections to a node. */
  light: { concurrency: 32, waiting: 512 },
  /** A few histograms: much of their time is the round trip to the engine. */
  usual: { concurrency: 4, waiting: 128 },
  /**
   * Hundreds of t-digests, which take tens of megabytes of OpenSearch's heap. Eight of these requests in parallel trip its
   * circuit breaker, two do not; a limit above the number of processors gains nothing.
   */
  large: { concurrency: 2, waiting: 128 },
} as const;
/** Maximum expected wait in milliseconds, multiplied by the timeout factor. Calls with longer waits are refused. */
const MAX_EXPECTED_WAIT_MS = 2_000;
/**
 * Weight of the latest turn in the average duration of turns, and the cap on its duration in averages: a short outage of the
 * engine must not count as lasting slowness.
 */
const LATEST_TURN_WEIGHT = 0.1;
const MAX_COUNTED_FACTOR = 2;

export type Lane = keyof typeof LANES;

/** Seconds after which a refused call may be retried: most waiting calls have been served by then. */
const RETRY_AFTER_S = 1;

/** A refused call: too many others wait. */
export class OverloadError extends RequestError {
  constructor() {
    super('internal_error', {
      message:
        'Too many expensive calls wait to be served. Retry after the seconds in Retry-After, with fewer at a time.',
      retryAfterS: RETRY_AFTER_S,
    });
  }
}

/** A call that waits for a turn. */
export interface Requester {
  /** Requesters of one name (an organization) share its turns. */
  name: string;
  /** Resolves when the call is charged. Before that it may wait for a turn, but must not cause work. */
  charged: Promise<void>;
  /** Aborted when the result is no longer needed. */
  signal?: AbortSignal;
  /** Must be called when the call has a place in a queue. */
  queued(): void;
}

/** A place in the queue of a lane, followed by a turn. */
export interface Place {
  /** Resolves when the turn begins. */
  begun: Promise<void>;
  readonly hasBegun: boolean;
  /** Ends the turn or leaves the queue. Repeated calls have no effect. */
  leave(): void;
}

/** A requester within the process. Its work is neither charged nor cancelled. */
export const internalRequester = (name: string): Requester => ({
  name,
  charged: Promise.resolve(),
  queued: () => {},
});

/** Limits the calls that use the search engine, round robin between organizations. */
export class Turns {
  readonly #lanes: Readonly<Record<Lane, LaneQueue>>;
  #refused = 0;

  constructor(timeoutFactor: number) {
    const maxWaitMs = timeoutFactor * MAX_EXPECTED_WAIT_MS;
    this.#lanes = {
      light: new LaneQueue({ ...LANES.light, maxWaitMs }),
      usual: new LaneQueue({ ...LANES.usual, maxWaitMs }),
      large: new LaneQueue({ ...LANES.large, maxWaitMs }),
    };
  }

  /** Whether no expensive call runs or waits. */
  get isIdle(): boolean {
    return this.#lanes.usual.isIdle && this.#lanes.large.isIdle;
  }

  /** Number of refused calls. */
  get refused(): number {
    return this.#refused;
  }

  /** The numbers of running and waiting calls by lane. */
  queues(): { lane: Lane; running: number; waiting: number }[] {
    return (Object.keys(LANES) as Lane[]).map((lane) => ({ lane, ...this.#lanes[lane].size }));
  }

  /** @throws OverloadError if the queue is full, or too long for a result in time */
  enter(lane: Lane, name: string): Place {
    const place = this.#lanes[lane].enter(name);
    if (place) return place;
    this.#refused++;
    throw new OverloadError();
  }
}

class LaneQueue {
  readonly #concurrency: number;
  readonly #maxWaitMs: number;
  readonly #queue: FairQueue<() => void>;
  #running = 0;
  /** Average duration of a turn. */
  #turnMs = 0;

  constructor({ concurrency, waiting, maxWaitMs }: { concurrency: number; waiting: number; maxWaitMs: number }) {
    this.#concurrency = concurrency;
    this.#maxWaitMs = maxWaitMs;
    this.#queue = new FairQueue({ waiting });
  }

  get size(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#queue.waiting };
  }

  get isIdle(): boolean {
    return this.#running + this.#queue.waiting === 0;
  }

  /** Returns null if the queue is full or too long for a result in time. */
  enter(name: string): Place | null {
    if (this.#queue.refusal(name) !== null || this.#expectedWaitMs(name) > this.#maxWaitMs) return null;
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    let beganAt: number | null = null;
    let left = false;
    const remove = this.#queue.add(name, () => {
      beganAt = performance.now();
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
   * Names are served round robin, so a call waits for at most as many calls of each other name as its own name has before
   * it.
   */
  #expectedWaitMs(name: string): number {
    const ahead = Math.min(this.#queue.waiting, (this.#queue.waitingOf(name) + 1) * this.#queue.names);
    return (ahead * this.#turnMs) / this.#concurrency;
  }

  #begin(): void {
    while (this.#running < this.#concurrency) {
      const taken = this.#queue.take(1, 1);
      if (!taken) return;
      // Several calls of one name may run at a time.
      taken.done();
      for (const begin of taken.items) begin();
    }
  }

  #end(turnMs: number): void {
    const counted = this.#turnMs === 0 ? turnMs : Math.min(turnMs, MAX_COUNTED_FACTOR * this.#turnMs);
    this.#turnMs += (this.#turnMs === 0 ? 1 : LATEST_TURN_WEIGHT) * (counted - this.#turnMs);
    this.#running--;
    this.#begin();
  }
}

/**
 * Waits until a deadline (of `performance.now()`), or until the requester leaves.
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
    // Not in `finally` of the promise, which may never settle.
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}
