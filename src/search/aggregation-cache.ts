import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { CachedRead } from '#domain/cached-read.ts';
import type { Places } from '#domain/geography/reference.ts';
import type { ServedIndex } from '#domain/index-state.ts';
import {
  internalRequester,
  type Load,
  type Requester,
  type SearchQueues,
  type Slot,
  waitFor,
} from '#domain/search-queues.ts';
import {
  aggregateValues,
  MAX_LISTINGS_BY_VALUE,
  sizeBody,
  type ValuesAnswer,
  valuesBody,
} from '#queries/market/collected.ts';
import { dataVersionBody } from '#queries/market/data-version.ts';
import { type Hour, hourOf } from '#queries/market/window.ts';
import type { SearchEngine } from './read-engine.ts';

/** Maximum total size of the cached JSON per search engine, in characters. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Number of search preferences, of which each request uses one. Replicas refresh at different times, so a state and the
 * result for it must come from the same replica. With a few preferences, the replicas share the load, and only a few
 * states are read.
 */
const PREFERENCES = 4;

/** Maximum number of cached cohort sizes. */
const MAX_SIZES = 5_000;
/**
 * Number of documents above which OpenSearch also caches the result in its request cache, where other processes can use
 * it. For fewer documents, caching takes up to a third of the computation time.
 */
const MANY = 10_000;

/** Maximum number of aggregations whose requests are counted, and maximum number that are refreshed in advance. */
const MAX_REMEMBERED = 1_000;
const MAX_WARMED = 50;
/** Timeout of a single refresh, in milliseconds. */
const WARM_LIMIT_MS = 30_000;

type Body = Readonly<Record<string, unknown>>;
type ExpensiveLoad = Exclude<Load, 'light'>;

/** The complete input of a cached result. Its only timestamp is the full hour, which is part of the key. */
interface CachedRequest<Filters> {
  filters: Filters;
  hour: Hour;
  places: Pick<Places, 'neighborhoods' | 'cities'>;
}

/**
 * Cost of an aggregation. A `small` aggregation costs little more than reading the index state, so it bypasses the
 * queue and is not refreshed in advance. A `large` one has hundreds of digests or reads thousands of values, so only a
 * few run in parallel.
 */
export type Cost = 'small' | ExpensiveLoad;

/**
 * An aggregation whose rendered JSON is cached. Its result is computed by a single search (`body`) or by `read`. `body`
 * and `present` are pure functions.
 */
export type CachedAggregation<Filters, Response> = {
  /** Part of the cache key, which distinguishes aggregations with equal filters. */
  name: string;
  /** The index to search. Defaults to `listings`. */
  index?: ServedIndex;
  /** Defaults to `usual`. */
  cost?: Cost;
  present(response: Response, request: CachedRequest<Filters>): object;
} & (
  | { body(filters: Filters, hour: Hour): Body; read?: undefined }
  | {
      body?: undefined;
      /** Computes the result with several searches that all run on the same replica of the index. */
      read(search: (body: Body) => Promise<unknown>, filters: Filters, hour: Hour): Promise<Response>;
    }
);

/** Services required to read cached aggregations. */
interface CacheServices {
  search: SearchEngine;
  searchQueues: SearchQueues;
  places: Pick<Places, 'neighborhoods' | 'cities'>;
}

/** A request for an aggregation. `now` is its arrival time in epoch milliseconds. */
export interface AggregationRequest<Filters> {
  services: CacheServices;
  filters: Filters;
  now: number;
  /** Deadline of the request, as a `performance.now()` timestamp. */
  deadline: number;
  requester: Requester;
}

/**
 * Creates a function that returns the JSON of an aggregation and caches it until the hour ends or the documents of the
 * index change. Call this once at startup, not per request, so that cached results cannot depend on a request.
 *
 * The state of the documents is read at most `SHARED_MS` before a cached result is returned, so a cached result lags
 * behind a search by at most `SHARED_MS`. Reading the state takes half a millisecond, while OpenSearch takes up to ten
 * milliseconds to merge hundreds of t-digests, even from its own request cache. If no state is cached, the state query
 * and the first search of a `body` are sent in one request.
 */
export function cachedAggregation<Filters, Response>({
  name,
  index = 'listings',
  cost = 'usual',
  body,
  read,
  present,
}: CachedAggregation<Filters, Response>) {
  return async ({ services, filters, now, deadline, requester }: AggregationRequest<Filters>): Promise<string> => {
    const { search, places, searchQueues } = services;
    const cache = aggregationCache(search);
    const jobOf = (hour: Hour): AggregationJob => {
      const key = digestOf([index, name, hour, filters]);
      const preference = `copy${key.charCodeAt(0) % PREFERENCES}`;
      return {
        key,
        cost,
        state: cache.stateOf(search, index, preference),
        execute: async (bodies) => {
          if (read) {
            const before = bodies.length > 0 ? await search.searchInTurn(index, bodies, { preference }) : [];
            return [...before, await read((asked) => search.search(index, asked, { preference }), filters, hour)];
          }
          const cohort = digestOf([index, body(filters, EPOCH).query]);
          return cache.execute(search, { index, preference, cohort }, bodies, body(filters, hour));
        },
        present: (response) => JSON.stringify(present(response as Response, { filters, hour, places })),
      };
    };
    const json = await cache.getJson(jobOf(hourOf(now)), { searchQueues, requester, deadline });
    if (cost !== 'small') cache.remember(digestOf([index, name, filters]), (at) => jobOf(hourOf(at)));
    return json;
  };
}

/** Numbers of cached and computed results since the process started, and the current size of the cache. */
interface StatisticsReads {
  /** Numbers of results from the cache (`hits`) and of computed results (`misses`). */
  hits: number;
  misses: number;
  entries: number;
  characters: number;
}

/** Returns a fixed-length hash of a value. */
const digestOf = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url');

/** Hour passed to aggregations that do not depend on the hour. */
const EPOCH = hourOf(0);

/** The index that an aggregation searches, and the identity of the documents it covers. */
interface Target {
  index: ServedIndex;
  preference: string;
  /** Equal for all aggregations over the same documents, regardless of the hour. */
  cohort: string;
}

/** An aggregation with its cache key. */
interface AggregationJob {
  key: string;
  cost: Cost;
  /** State of the index, read from a single replica. */
  state: CachedRead<string>;
  /** Runs `bodies` on the index, then the aggregation. Returns the responses to `bodies`, then the aggregation. */
  execute(bodies: readonly Body[]): Promise<unknown[]>;
  present(response: unknown): string;
}

interface StateResponse {
  hits: unknown;
  aggregations: unknown;
}

const versionOf = ({ hits, aggregations }: StateResponse): string => JSON.stringify([hits, aggregations]);

interface Entry {
  /** State of the documents from which `json` was computed. */
  version: string;
  json: string;
}

interface Remembered {
  requests: number;
  job(now: number): AggregationJob;
}

/** The result cache of a search engine, and the queue of aggregations that fill it. */
class AggregationCache {
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ version, json }, key) => key.length + version.length + json.length,
  });
  /** Queued and running computations by cache key. */
  readonly #computations = new Map<string, Computation>();
  readonly #states = new Map<string, CachedRead<string>>();
  /** Number of documents in each cohort, as of its last request. */
  readonly #sizes = new LRUCache<string, number>({ max: MAX_SIZES });
  readonly #remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });
  #hits = 0;
  #misses = 0;
  /** Document states that the previous call of `warm` read. */
  #seen: ReadonlyMap<CachedRead<string>, string> = new Map();

  reads(): StatisticsReads {
    const { size: entries, calculatedSize: characters } = this.#entries;
    return { hits: this.#hits, misses: this.#misses, entries, characters };
  }

  stateOf(search: SearchEngine, index: ServedIndex, preference: string): CachedRead<string> {
    const name = `${index} ${preference}`;
    const state =
      this.#states.get(name) ??
      new CachedRead(async () =>
        versionOf(await search.search<StateResponse>(index, dataVersionBody(), { preference })),
      );
    this.#states.set(name, state);
    return state;
  }

  /** Clears cached states, so that a process sees its own changes to an index immediately. */
  clearStates(): void {
    for (const state of this.#states.values()) state.clear();
  }

  /**
   * Runs `bodies`, then the aggregation: computed from values if few documents match, otherwise by OpenSearch. If this
   * choice depends on the number of documents and the number is not cached, the documents are counted first.
   */
  async execute(
    search: SearchEngine,
    { index, preference, cohort }: Target,
    bodies: readonly Body[],
    body: Body,
  ): Promise<unknown[]> {
    const values = valuesBody(body);
    const answers: unknown[] = [];
    const send = async (last: Body): Promise<unknown> => {
      // If a search does not request the total, its size is unknown and the caching default of OpenSearch applies.
      const keepLast = body.track_total_hits !== true || (this.#sizes.get(cohort) ?? 0) > MANY;
      const asked = answers.length < bodies.length ? [...bodies, last] : [last];
      const found = await search.searchInTurn(index, asked, { preference, keepLast });
      answers.push(...found.slice(0, -1));
      return found.at(-1);
    };
    const note = (answer: unknown): void => {
      const total = (answer as { hits?: { total?: { value: number; relation: string } } }).hits?.total;
      // Other totals are lower bounds.
      if (total?.relation === 'eq') this.#sizes.set(cohort, total.value);
    };
    if (values !== null && !this.#sizes.has(cohort)) note(await send(sizeBody(body)));
    const few = values !== null && (this.#sizes.get(cohort) ?? Number.POSITIVE_INFINITY) <= MAX_LISTINGS_BY_VALUE;
    // If the number of documents has exceeded the limit since they were counted, `aggregateValues` returns null.
    const answer = (few ? aggregateValues(body, (await send(values)) as ValuesAnswer) : null) ?? (await send(body));
    note(answer);
    return [...answers, answer];
  }

  remember(name: string, job: Remembered['job']): void {
    const known = this.#remembered.get(name);
    if (known) known.requests++;
    else this.#remembered.set(name, { requests: 1, job });
  }

  /**
   * Returns the JSON of an aggregation: from the cache, from a running computation of the same aggregation, or from a
   * new computation when the requester gets a slot.
   * @throws OverloadError if the aggregation can be neither computed nor queued
   * @throws StoreError
   */
  async getJson(job: AggregationJob, { searchQueues, requester, deadline }: JobContext): Promise<string> {
    const { key, cost } = job;
    if (cost === 'small') return waitFor(this.#fill(job), requester, deadline);
    const arrived = performance.now();
    for (let first = true; ; first = false) {
      const kept = await this.#kept(job);
      if (kept !== null) return kept;
      const other = this.#computations.get(key);
      const computation = other ?? this.#compute(job, searchQueues, cost);
      try {
        const json = await computation.join(requester, deadline);
        // A computation that began before this request arrived may have read an older state.
        if (computation.begunAt >= arrived) return json;
      } catch (error) {
        if (!(first && other && computation.hasFailed)) throw error;
      }
    }
  }

  #compute(job: AggregationJob, searchQueues: SearchQueues, load: ExpensiveLoad): Computation {
    const { key } = job;
    const computation = new Computation({
      run: () => this.#fill(job),
      enter: (name) => searchQueues.enter(load, name),
      end: () => {
        if (this.#computations.get(key) === computation) this.#computations.delete(key);
      },
    });
    this.#computations.set(key, computation);
    return computation;
  }

  /**
   * Refreshes the most requested results if the documents have changed, but not since the previous call, so that the
   * first request after an ingest run is fast. Refreshes one result at a time, while no aggregation is queued or running.
   * @returns number of refreshed results
   */
  async warm(searchQueues: SearchQueues, now: number): Promise<number> {
    const popular = [...this.#remembered.values()].sort((a, b) => b.requests - a.requests).slice(0, MAX_WARMED);
    const seen = new Map<CachedRead<string>, string>();
    let answered = 0;
    for (const { job } of popular) {
      const due = job(now);
      const version = seen.get(due.state) ?? (await due.state.read());
      seen.set(due.state, version);
      const atRest = this.#seen.get(due.state) === version;
      if (!atRest || this.#entries.peek(due.key)?.version === version) continue;
      if (!searchQueues.isIdle) break;
      const deadline = performance.now() + WARM_LIMIT_MS;
      await this.getJson(due, { searchQueues, requester: internalRequester('warm'), deadline });
      answered++;
    }
    this.#seen = seen;
    // Halves the request counts, so that older requests weigh less.
    if (answered > 0) for (const remembered of this.#remembered.values()) remembered.requests /= 2;
    return answered;
  }

  /** Returns the cached result, or null if none is cached or the documents have changed. */
  async #kept({ key, state }: AggregationJob): Promise<string | null> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    if (entry.version !== (state.cached ?? (await state.read()))) return null;
    this.#hits++;
    return entry.json;
  }

  async #fill(job: AggregationJob): Promise<string> {
    // An identical request may have filled the cache while this one was queued.
    const kept = await this.#kept(job);
    if (kept !== null) return kept;
    this.#misses++;
    const { key, state } = job;
    let version = state.cached;
    let response: unknown;
    if (version !== undefined) [response] = await job.execute([]);
    else {
      const begun = performance.now();
      // The state is read before the result, so a result may be newer than the cached state, but never older.
      const [first, second] = await job.execute([dataVersionBody()]);
      version = versionOf(first as StateResponse);
      state.offer(version, begun);
      response = second;
    }
    const json = job.present(response);
    this.#entries.set(key, { version, json });
    return json;
  }
}

interface JobContext extends Pick<AggregationRequest<unknown>, 'requester' | 'deadline'> {
  searchQueues: SearchQueues;
}

interface ComputationOptions {
  run(): Promise<string>;
  /** @throws OverloadError */
  enter(name: string): Slot;
  /** Called when the computation ends, or when its last requester leaves before it starts. */
  end(): void;
}

/** The queue slot shared by all requesters with the same name. */
interface Share {
  slot: Slot;
  requesters: number;
  /** Resolves when one of these requesters has been charged. */
  charged: PromiseWithResolvers<void>;
}

/**
 * A computation shared by several requesters. Each requester name has a separate position in the queue, so that no name
 * waits for the backlog of another. The computation starts in the first slot that any name gets, and its result is
 * returned to all requesters. A requester that cancels does not affect the others. When no requesters remain, the
 * computation leaves the queue.
 */
class Computation {
  readonly #options: ComputationOptions;
  readonly #shares = new Map<string, Share>();
  readonly #result = Promise.withResolvers<string>();
  /** Start time as a `performance.now()` timestamp; infinite until the computation starts. */
  begunAt = Number.POSITIVE_INFINITY;
  hasFailed = false;

  constructor(options: ComputationOptions) {
    this.#options = options;
    // Failures are passed to waiting requesters; if there are none, the failure must not become an unhandled rejection.
    this.#result.promise.catch(() => {});
  }

  get #hasBegun(): boolean {
    return this.begunAt < Number.POSITIVE_INFINITY;
  }

  /** @throws OverloadError if the queue for the requester's name is full */
  async join(requester: Requester, deadline: number): Promise<string> {
    const { name, charged } = requester;
    const share = this.#hasBegun ? null : this.#shareOf(name);
    if (share) {
      share.requesters++;
      charged.then(share.charged.resolve);
    }
    requester.queued();
    try {
      return await waitFor(this.#result.promise, requester, deadline);
    } finally {
      if (share && --share.requesters === 0) this.#leave(name, share);
    }
  }

  #shareOf(name: string): Share {
    const known = this.#shares.get(name);
    if (known) return known;
    try {
      const share = { slot: this.#options.enter(name), requesters: 0, charged: Promise.withResolvers<void>() };
      this.#shares.set(name, share);
      void this.#runInTurn(share);
      return share;
    } catch (error) {
      if (this.#shares.size === 0) this.#options.end();
      throw error;
    }
  }

  async #runInTurn(share: Share): Promise<void> {
    await share.slot.begun;
    await share.charged.promise;
    if (this.#hasBegun || share.requesters === 0) return;
    this.begunAt = performance.now();
    for (const other of this.#shares.values()) if (other !== share) other.slot.leave();
    try {
      this.#result.resolve(await this.#options.run());
    } catch (error) {
      this.hasFailed = true;
      this.#result.reject(error);
    } finally {
      share.slot.leave();
      this.#options.end();
    }
  }

  #leave(name: string, { slot }: Share): void {
    if (this.#hasBegun) return;
    slot.leave();
    this.#shares.delete(name);
    if (this.#shares.size === 0) this.#options.end();
  }
}

const caches = new WeakMap<SearchEngine, AggregationCache>();

/** Returns the result cache of a search engine. */
export function aggregationCache(search: SearchEngine): AggregationCache {
  const cache = caches.get(search) ?? new AggregationCache();
  caches.set(search, cache);
  return cache;
}
