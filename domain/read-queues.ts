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

/** Share of a class for visitors: of its slots, of the engine's threads, and of its waiting reads. */
const VISITOR_SHARE = 0.25;
/** The same for visitors, and the time for a search. A read of several searches has a search and a half. */
const VISITOR_WAIT_MS = 2_000;
const VISITOR_SEARCH_MS = 2_000;
const VISITOR_READ_MS = 3_000;
/** Threads for searches of an OpenSearch node with as many processors. */
const engineThreads = (cores: number): number => Math.floor(cores * 1.5) + 1;
/** At least one, and so few that the engine has threads for other callers, whatever each search costs. */
const visitorSlots = (slots: number, cores: number): number =>
  Math.max(1, Math.floor(Math.min(slots, engineThreads(cores)) * VISITOR_SHARE));

/** A read of the visitor class. */
export interface VisitorRead {
  /** `performance.now()` timestamp. */
  deadline: number;
  /** Milliseconds after which the engine cancels a search. */
  searchMs: number;
  /** Searches that may outlive the read in the engine. They keep its slot. */
  searches: Promise<unknown>[];
}
const visitorReads = new AsyncLocalStorage<VisitorRead>();
/** Undefined outside of a read of the visitor class. */
export const currentVisitorRead = (): VisitorRead | undefined => visitorReads.getStore();
const MAX_QUEUES = 1_000;

export type Load = keyof typeof CLASSES;

/** Refuses a read before any work. A constant, because capturing a stack trace would be a tenth of a refusal. */
export const OVERLOAD = new RequestError('internal_error', {
  message:
    'Too many expensive calls wait to be served. Retry after the number of seconds in the Retry-After header, with fewer at a time.',
  retryAfterS: 1,
});

export interface Requester {
  /** An organization, or the address of a visitor. */
  name: string;
  /** A visitor of the site, or an organization that pays nothing: others do not wait for its reads. */
  isVisitor?: boolean;
  /** Set when a read begins to wait for the engine. */
  usedEngine?: boolean;
  /** Aborted when the client disconnects. A waiting read then leaves its queue. */
  signal?: AbortSignal;
}

interface ClassQueue {
  name: string;
  queue: PQueue;
  /** Queues of organizations, in front of the queue of the class. */
  organizations: Map<string, PQueue>;
  waiting: number;
  maxWaiting: number;
  maxWaitMs: number;
}

export class ReadQueues {
  /** The queue of visitors is in front of the queue of the class. */
  readonly #classes: Readonly<Record<Load, ClassQueue & { visitors: ClassQueue }>>;
  /** Reads of visitors of all classes, between both. */
  readonly #visitors: PQueue;
  readonly #timeoutFactor: number;
  readonly #onBegin: (load: Load, waitedMs: number) => void;
  #refused = 0;

  /** @param onBegin receives the milliseconds that a read waited */
  constructor(cores: number, timeoutFactor: number, onBegin: (load: Load, waitedMs: number) => void = () => {}) {
    const queueOf = (name: string, slots: number, maxWaiting: number, waitMs: number): ClassQueue => {
      const queue = new PQueue({ concurrency: slots });
      return { name, queue, organizations: new Map(), waiting: 0, maxWaiting, maxWaitMs: timeoutFactor * waitMs };
    };
    const classOf = (load: Load) => {
      const { perCore, atMost, waiting } = CLASSES[load];
      const slots = Math.min(cores * perCore, atMost);
      const ofVisitors = [visitorSlots(slots, cores), waiting * VISITOR_SHARE, VISITOR_WAIT_MS] as const;
      return {
        ...queueOf(load, slots, waiting, MAX_WAIT_MS),
        visitors: queueOf(`visitor ${load}`, ...ofVisitors),
      };
    };
    this.#visitors = new PQueue({ concurrency: visitorSlots(Number.POSITIVE_INFINITY, cores) });
    this.#classes = { searches: classOf('searches'), statistics: classOf('statistics') };
    this.#timeoutFactor = timeoutFactor;
    this.#onBegin = onBegin;
  }

  get refused(): number {
    return this.#refused;
  }

  /** The running reads of a class include those of its visitors. */
  queues(): { load: string; running: number; waiting: number }[] {
    const all = Object.values(this.#classes).flatMap((each) => [each, each.visitors]);
    return all.map(({ name, queue, waiting }) => ({ load: name, running: queue.pending, waiting }));
  }

  /**
   * @param deadline `performance.now()` timestamp after which the read must not begin
   * @throws OVERLOAD if the queues are full or the wait is too long
   */
  async run<T>(load: Load, requester: Requester, deadline: number, read: () => Promise<T>): Promise<T> {
    const { name, signal, isVisitor = false } = requester;
    requester.usedEngine = true;
    // Part of a read that has a slot.
    if (isVisitor && currentVisitorRead()) return read();
    const { queue } = this.#classes[load];
    const all = isVisitor ? this.#classes[load].visitors : this.#classes[load];
    const own = this.#queueOf(all, name);
    if (own.size >= all.maxWaiting * WAITING_SHARE || all.waiting >= all.maxWaiting) throw this.#refuse();
    const arrived = performance.now();
    // Otherwise a read would run in the context, such as the trace, of the read that it waited for.
    const inContext = AsyncLocalStorage.snapshot();
    const leaving = new AbortController();
    const leave = (): void => leaving.abort(this.#refuse());
    const timer = setTimeout(leave, Math.max(1, Math.min(all.maxWaitMs, deadline - arrived)));
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
    const begin = (work = read): Promise<T> => {
      endWait();
      this.#onBegin(load, performance.now() - arrived);
      return inContext(work);
    };
    const options = { signal: leaving.signal };
    try {
      if (!isVisitor) return await own.add(() => queue.add(() => begin(), { ...options, priority: 1 }), options);
      const outcome = Promise.withResolvers<T>();
      const inClass = () => queue.add(() => this.#beginAndHold(begin, read, outcome), options);
      const inTurn = () => this.#visitors.add(inClass, options);
      own.add(() => all.queue.add(inTurn, options), options).catch(outcome.reject);
      return await outcome.promise;
    } finally {
      endWait();
    }
  }

  /** Passes the result on at once, and resolves when the engine has ended all searches of the read. */
  async #beginAndHold<T>(
    begin: (work: () => Promise<T>) => Promise<T>,
    read: () => Promise<T>,
    outcome: PromiseWithResolvers<T>,
  ): Promise<void> {
    const deadline = performance.now() + this.#timeoutFactor * VISITOR_READ_MS;
    const visitor = { deadline, searchMs: this.#timeoutFactor * VISITOR_SEARCH_MS, searches: [] };
    await begin(() => visitorReads.run(visitor, read)).then(outcome.resolve, outcome.reject);
    await Promise.allSettled(visitor.searches);
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
