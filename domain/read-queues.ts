import { AsyncLocalStorage } from 'node:async_hooks';
import PQueue from 'p-queue';
import { RequestError } from './errors.ts';

/**
 * Limits per process on expensive reads. Statistics are few at a time, because hundreds of t-digests take tens of
 * megabytes of OpenSearch heap: eight concurrent requests trip its circuit breaker.
 */
const CLASSES = {
  searches: { perCore: 16, atMost: 64, waiting: 512 },
  statistics: { perCore: 2, atMost: 4, waiting: 128 },
} as const;
const RUNNING_SHARE = 0.75;
const WAITING_SHARE = 0.5;
/** Longest wait in milliseconds, at a timeout factor of 1. */
const MAX_WAIT_MS = 5_000;
const MAX_QUEUES = 1_000;

export type Load = keyof typeof CLASSES;

/** Refuses a read before any work. A constant, because capturing a stack trace would be a tenth of a refusal. */
export const OVERLOAD = new RequestError('internal_error', {
  message:
    'Too many expensive calls wait to be served. Retry after the number of seconds in the Retry-After header, with fewer at a time.',
  retryAfterS: 1,
});

export interface Requester {
  name: string;
  /** Aborted when the client disconnects. A waiting read then leaves its queue. */
  signal?: AbortSignal;
}

interface ClassQueue {
  queue: PQueue;
  /** Queues of organizations, in front of the queue of the class. */
  organizations: Map<string, PQueue>;
  waiting: number;
}

export class ReadQueues {
  readonly #classes: Readonly<Record<Load, ClassQueue>>;
  readonly #maxWaitMs: number;
  readonly #onBegin: (load: Load, waitedMs: number) => void;
  #refused = 0;

  /** @param onBegin receives the milliseconds that a read waited */
  constructor(cores: number, timeoutFactor: number, onBegin: (load: Load, waitedMs: number) => void = () => {}) {
    const queueOf = (load: Load): ClassQueue => {
      const { perCore, atMost } = CLASSES[load];
      const queue = new PQueue({ concurrency: Math.min(cores * perCore, atMost) });
      return { queue, organizations: new Map(), waiting: 0 };
    };
    this.#classes = { searches: queueOf('searches'), statistics: queueOf('statistics') };
    this.#maxWaitMs = timeoutFactor * MAX_WAIT_MS;
    this.#onBegin = onBegin;
  }

  get refused(): number {
    return this.#refused;
  }

  queues(): { load: Load; running: number; waiting: number }[] {
    const loads = Object.entries(this.#classes) as [Load, ClassQueue][];
    return loads.map(([load, { queue, waiting }]) => ({ load, running: queue.pending, waiting }));
  }

  /**
   * @param deadline `performance.now()` timestamp after which the read must not begin
   * @throws OVERLOAD if the queues are full or the wait is too long
   */
  async run<T>(load: Load, { name, signal }: Requester, deadline: number, read: () => Promise<T>): Promise<T> {
    const all = this.#classes[load];
    const own = this.#queueOf(all, name);
    const { waiting } = CLASSES[load];
    if (own.size >= waiting * WAITING_SHARE || all.waiting >= waiting) throw this.#refuse();
    const arrived = performance.now();
    // Otherwise a read would run in the context, such as the trace, of the read that it waited for.
    const inContext = AsyncLocalStorage.snapshot();
    const leaving = new AbortController();
    const leave = (): void => leaving.abort(this.#refuse());
    const timer = setTimeout(leave, Math.max(1, Math.min(this.#maxWaitMs, deadline - arrived)));
    signal?.addEventListener('abort', leave);
    all.waiting++;
    let isWaiting = true;
    const endWait = (): void => {
      if (!isWaiting) return;
      isWaiting = false;
      all.waiting--;
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    const begin = (): Promise<T> => {
      endWait();
      this.#onBegin(load, performance.now() - arrived);
      return inContext(read);
    };
    try {
      const options = { signal: leaving.signal };
      return await own.add(() => all.queue.add(begin, options), options);
    } finally {
      endWait();
    }
  }

  #queueOf({ queue, organizations }: ClassQueue, name: string): PQueue {
    if (organizations.size > MAX_QUEUES)
      for (const [each, { size, pending }] of organizations) if (size + pending === 0) organizations.delete(each);
    const own =
      organizations.get(name) ??
      new PQueue({ concurrency: Math.max(1, Math.floor(queue.concurrency * RUNNING_SHARE)) });
    organizations.set(name, own);
    return own;
  }

  #refuse(): RequestError {
    this.#refused++;
    return OVERLOAD;
  }
}
