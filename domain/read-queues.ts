import { AsyncLocalStorage } from 'node:async_hooks';
import { afterFailure, afterRead, type ConcurrencyLimit, FEW, initialLimit } from './concurrency-limit.ts';
import { RequestError } from './errors.ts';
import { StoreError } from './store-error.ts';

/**
 * Classes of reads, each with a limit of its own (`concurrency-limit.ts`). A queue absorbs bursts: as many reads wait as
 * are expected to begin within `burstMs`. If the average wait exceeds `longMs`, more reads arrive than are served, and a
 * queue would only delay those that it accepts: then no more wait than run. A client with 60 connections that is alone is
 * not refused, because it sends its next call after a response: `line` of its reads wait. After `heldMs` a read no longer uses a slot,
 * so that a node that has stopped responding does not take all. Times are in milliseconds, at a timeout factor of 1.
 */
const CLASSES = {
  searches: { most: 64, burstMs: 500, longMs: 20, line: 64, heldMs: 1_000 },
  // Hundreds of t-digests take tens of megabytes of OpenSearch heap: eight concurrent requests trip its circuit breaker.
  statistics: { most: 4, burstMs: 500, longMs: 40, line: 0, heldMs: 7_000 },
} as const;
/** Waiting reads of a class, and of an organization, while the time of a read is unknown. */
const MAX_WAITING = 512;
const MAX_WAITING_OF_ONE = 128;
/** Longest wait as a multiple of the longest expected one: reads may become slower. */
const MAX_WAIT = 2;
/** Time in milliseconds over which waits are averaged. */
const AVERAGE_MS = 5_000;
/** Share of the slots of a class for one organization. */
const RUNNING_SHARE = 0.75;

/** Share of the slots of a class for visitors, at least one slot. */
const VISITOR_SHARE = 0.25;
const VISITOR_WAITS = { burstMs: 2_000, longMs: 2_000, line: 0 };
/** The time for a search of a visitor. A read of several searches has a search and a half. */
const VISITOR_SEARCH_MS = 2_000;
const VISITOR_READ_MS = 3_000;

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

/** Reads of one organization. It exists while it has any. */
interface Line {
  running: number;
  /** Each begins a read. */
  readonly waiting: (() => void)[];
}

interface Group {
  readonly name: string;
  readonly lines: Map<string, Line>;
  /** Lines with waiting reads, in the order of their turns. */
  readonly turns: Line[];
  running: number;
  waiting: number;
  readonly burstMs: number;
  readonly longMs: number;
  readonly line: number;
  /** Average of the expected waits of arriving reads, in milliseconds, and the time of the last one. */
  averageMs: number;
  arrived: number;
}

interface Class {
  limit: ConcurrencyLimit;
  /** While reads of this class wait, the other has at most half as many slots: they share processors. */
  readonly preferred?: Class;
  readonly others: Group;
  readonly visitors: Group;
}

interface Options {
  timeoutFactor?: number;
  /** Receives the milliseconds that a read waited. */
  onBegin?: (load: Load, waitedMs: number) => void;
  /** In milliseconds. */
  clock?: () => number;
}

/** Limits reads of the search engine. Organizations take turns. */
export class ReadQueues {
  readonly #classes: Readonly<Record<Load, Class>>;
  readonly #timeoutFactor: number;
  readonly #onBegin: (load: Load, waitedMs: number) => void;
  readonly #clock: () => number;
  #refused = 0;

  constructor({ timeoutFactor = 1, onBegin = () => {}, clock = () => performance.now() }: Options = {}) {
    const groupOf = (name: string, { burstMs, longMs, line }: Pick<Group, 'burstMs' | 'longMs' | 'line'>): Group => ({
      name,
      lines: new Map(),
      turns: [],
      running: 0,
      waiting: 0,
      burstMs: timeoutFactor * burstMs,
      longMs: timeoutFactor * longMs,
      line,
      averageMs: 0,
      arrived: clock(),
    });
    const classOf = (load: Load, preferred?: Class): Class => ({
      ...(preferred && { preferred }),
      limit: initialLimit(CLASSES[load].most, clock()),
      others: groupOf(load, CLASSES[load]),
      visitors: groupOf(`visitor ${load}`, VISITOR_WAITS),
    });
    const searches = classOf('searches');
    this.#classes = { searches, statistics: classOf('statistics', searches) };
    this.#timeoutFactor = timeoutFactor;
    this.#onBegin = onBegin;
    this.#clock = clock;
  }

  get refused(): number {
    return this.#refused;
  }

  /** The running reads of a class include those of its visitors. */
  queues(): { load: string; slots: number; running: number; waiting: number }[] {
    return Object.values(this.#classes).flatMap((each) => [
      { ...stateOf(each.others), slots: slotsOfClass(each), running: runningOf(each) },
      { ...stateOf(each.visitors), slots: slotsOf(each, each.visitors) },
    ]);
  }

  /**
   * @param deadline timestamp of the clock after which the read must not begin
   * @throws OVERLOAD if too many reads wait, or this one has waited too long
   */
  async run<T>(load: Load, requester: Requester, deadline: number, read: () => Promise<T>): Promise<T> {
    const { name, signal, isVisitor = false } = requester;
    requester.usedEngine = true;
    // Part of a read that has a slot.
    if (isVisitor && currentVisitorRead()) return read();
    const all = this.#classes[load];
    const group = isVisitor ? all.visitors : all.others;
    const line = group.lines.get(name) ?? { running: 0, waiting: [] };
    const arrived = this.#clock();
    if (isRefused(all, group, line, arrived)) throw this.#refuse();
    group.lines.set(name, line);
    let hasSlot = true;
    const end = (): void => {
      if (!hasSlot) return;
      hasSlot = false;
      group.running--;
      line.running--;
      if (isEmpty(line)) group.lines.delete(name);
      dispatch(all);
    };
    const limitMs = Math.min(MAX_WAIT * Math.max(group.burstMs, all.limit.meanMs), deadline - arrived);
    await this.#turn(all, group, line, limitMs, signal).catch((error: unknown) => {
      if (isEmpty(line)) group.lines.delete(name);
      throw error;
    });
    const begun = this.#clock();
    const running = runningOf(all);
    this.#onBegin(load, begun - arrived);
    const measured = async (work: () => Promise<T>): Promise<T> => {
      const result = await work().catch((error: unknown) => {
        if (error instanceof StoreError) all.limit = afterFailure(all.limit);
        throw error;
      });
      const now = this.#clock();
      const isFull = all.others.waiting + all.visitors.waiting > 0;
      const sample = { ms: now - begun, running: Math.max(running, runningOf(all)), isFull, now };
      all.limit = afterRead(all.limit, sample);
      return result;
    };
    if (!isVisitor) {
      const held = setTimeout(end, this.#timeoutFactor * CLASSES[load].heldMs);
      return measured(read).finally(() => {
        clearTimeout(held);
        end();
      });
    }
    const visitor = {
      deadline: performance.now() + this.#timeoutFactor * VISITOR_READ_MS,
      searchMs: this.#timeoutFactor * VISITOR_SEARCH_MS,
      searches: [],
    };
    // The result does not wait until the engine has ended all searches of the read.
    return measured(() => visitorReads.run(visitor, read)).finally(
      () => void Promise.allSettled(visitor.searches).then(end),
    );
  }

  /** Waits for a slot. It is taken when this returns. */
  async #turn(all: Class, group: Group, line: Line, limitMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    group.waiting++;
    if (line.waiting.push(resolve) === 1) group.turns.push(line);
    dispatch(all);
    if (!line.waiting.includes(resolve)) return;
    const leave = (): void => {
      const at = line.waiting.indexOf(resolve);
      if (at === -1) return;
      line.waiting.splice(at, 1);
      group.waiting--;
      if (line.waiting.length === 0) group.turns.splice(group.turns.indexOf(line), 1);
      reject(this.#refuse());
    };
    const timer = setTimeout(leave, Math.max(1, limitMs));
    signal?.addEventListener('abort', leave);
    await promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    });
  }

  #refuse(): RequestError {
    this.#refused++;
    return OVERLOAD;
  }
}

const isEmpty = ({ running, waiting }: Line): boolean => running + waiting.length === 0;
const stateOf = ({ name: load, running, waiting }: Group) => ({ load, running, waiting });
const runningOf = ({ others, visitors }: Class): number => others.running + visitors.running;
const slotsOf = (all: Class, group: Group): number =>
  group === all.visitors ? Math.max(1, Math.floor(slotsOfClass(all) * VISITOR_SHARE)) : slotsOfClass(all);

function slotsOfClass({ limit, preferred }: Class): number {
  if (preferred === undefined || preferred.others.waiting === 0) return limit.slots;
  return Math.min(limit.slots, Math.max(FEW, Math.floor(preferred.limit.slots / 2)));
}

/**
 * Whether a read that arrives is refused. As many as run may wait in any case, each organization its part of both; `line`
 * of an organization that is alone, as it waits for itself only.
 */
function isRefused(all: Class, group: Group, { running, waiting }: Line, now: number): boolean {
  if (group.waiting >= MAX_WAITING || waiting.length >= MAX_WAITING_OF_ONE) return true;
  const slots = slotsOf(all, group);
  // Organizations take turns, so the reads of a longer queue do not delay those of a shorter one.
  const before = group.turns.reduce((sum, line) => sum + Math.min(line.waiting.length, waiting.length + 1), 0);
  const expectedMs = (before * all.limit.meanMs) / slots;
  const longMs = Math.max(group.longMs, all.limit.baselineMs ?? 0);
  const others = group.lines.size - (running + waiting.length > 0 ? 1 : 0);
  const hasPart =
    running + waiting.length < Math.max(Math.floor((2 * slots) / (others + 1)), others === 0 ? slots + group.line : 0);
  const isLate = before >= slots && !hasPart && (expectedMs > group.burstMs || group.averageMs > longMs);
  const weight = 1 - Math.exp((group.arrived - now) / AVERAGE_MS);
  // A refused read counts with the longest wait: while many are refused, the queue stays short.
  group.averageMs += weight * ((isLate ? group.burstMs : expectedMs) - group.averageMs);
  group.arrived = now;
  return isLate;
}

/** Begins the reads that have a slot. Visitors take those that no other needs. */
function dispatch(all: Class): void {
  for (const group of [all.others, all.visitors])
    while (runningOf(all) < slotsOfClass(all) && group.running < slotsOf(all, group)) {
      const share = Math.ceil(slotsOf(all, group) * RUNNING_SHARE);
      const at = group.turns.findIndex(({ running }) => running < share);
      const [line] = at === -1 ? [] : group.turns.splice(at, 1);
      const begin = line?.waiting.shift();
      if (!line || !begin) break;
      if (line.waiting.length > 0) group.turns.push(line);
      line.running++;
      group.running++;
      group.waiting--;
      begin();
    }
}
