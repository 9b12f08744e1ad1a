import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Places } from '#domain/geography/reference.ts';
import { SharedReading } from '#domain/shared-reading.ts';
import { internalRequester, type Lane, type Place, type Requester, type Turns, waitFor } from '#domain/turns.ts';
import { answerOfValues, FEW_LISTINGS, sizeBody, type ValuesAnswer, valuesBody } from '#queries/market/collected.ts';
import { dataVersionBody } from '#queries/market/data-version.ts';
import { type Hour, hourOf } from '#queries/market/window.ts';
import { type IndexNames, indexNames } from './client.ts';
import type { SearchEngine } from './read-engine.ts';

/** Characters that the cached JSON of one search engine may have in all. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Copies of an index refresh at different moments: a state and its counts must come from the same copy. Each request uses one
 * of a few preferences, so that all copies have work and few states are read.
 */
const PREFERENCES = 4;

/** Cohorts whose size is kept. */
const MAX_SIZES = 5_000;
/**
 * Number of documents from which the engine caches a result too, for other processes. Below, caching takes up to a third of the
 * time of computing.
 */
const MANY = 10_000;

/** Aggregations whose requests are counted, and those that are refreshed before the next request. */
const MAX_REMEMBERED = 1_000;
const MAX_WARMED = 50;
/** Milliseconds that each of these may take. */
const WARM_LIMIT_MS = 30_000;

type Body = Readonly<Record<string, unknown>>;
type ExpensiveLane = Exclude<Lane, 'light'>;

/** The complete input of a cached result. The only time in it is the full hour, which is part of the cache key. */
interface CachedRequest<Filters> {
  filters: Filters;
  hour: Hour;
  places: Pick<Places, 'neighborhoods' | 'cities'>;
}

/**
 * Cost of an aggregation. `small` costs hardly more than reading its state: it waits for no turn, and is not refreshed in
 * advance. `large` has hundreds of digests, or reads thousands of values: few run in parallel.
 */
export type Cost = 'small' | ExpensiveLane;

/** An aggregation whose presented JSON is cached, by one search or by its own `read`. `body` and `present` are pure. */
export type CachedAggregation<Filters, Response> = {
  /** Distinguishes aggregations with equal filters. */
  name: string;
  /** The searched index. Defaults to listings. */
  index?: keyof IndexNames;
  /** `usual`, when left out. */
  cost?: Cost;
  present(response: Response, request: CachedRequest<Filters>): object;
} & (
  | { body(filters: Filters, hour: Hour): Body; read?: undefined }
  | {
      body?: undefined;
      /** Computes a result by any searches of one copy of the index. */
      read(search: (body: Body) => Promise<unknown>, filters: Filters, hour: Hour): Promise<Response>;
    }
);

/** The services that readers of cached aggregations need. */
interface CacheServices {
  search: SearchEngine;
  turns: Turns;
  config: { opensearch: { indexPrefix: string } };
  places: Pick<Places, 'neighborhoods' | 'cities'>;
}

/** The filters of a request and when it came. */
export interface AggregationRequest<Filters> {
  services: CacheServices;
  filters: Filters;
  now: number;
  /** Of `performance.now()`: when the request times out. */
  deadline: number;
  requester: Requester;
}

/**
 * Creates a reader of a cached aggregation: its presented JSON, cached until the documents of its index change. Create it once,
 * outside of any request, so that cached results cannot depend on one.
 *
 * The state of the documents is read at most `SHARED_MS` before a cached result is returned, which is at most that much older
 * than a search. Reading the state takes half a millisecond, where OpenSearch takes up to ten to merge hundreds of t-digests
 * even from its own request cache. A new aggregation is sent together with it.
 */
export function cachedAggregation<Filters, Response>({
  name,
  index: searched = 'listings',
  cost = 'usual',
  body,
  read,
  present,
}: CachedAggregation<Filters, Response>) {
  return async ({ services, filters, now, deadline, requester }: AggregationRequest<Filters>): Promise<string> => {
    const { search, config, places, turns } = services;
    const index = indexNames(config.opensearch.indexPrefix)[searched];
    const cache = cacheOf(search);
    const questionOf = (hour: Hour): Question => {
      const key = digestOf([index, name, hour, filters]);
      const preference = `copy${key.charCodeAt(0) % PREFERENCES}`;
      return {
        key,
        cost,
        state: cache.stateOf(search, index, preference),
        ask: async (bodies) => {
          if (read) {
            const before = bodies.length > 0 ? await search.searchInTurn(index, bodies, { preference }) : [];
            return [...before, await read((asked) => search.search(index, asked, { preference }), filters, hour)];
          }
          const cohort = digestOf([index, body(filters, EPOCH).query]);
          return cache.ask(search, { index, preference, cohort }, bodies, body(filters, hour));
        },
        present: (response) => JSON.stringify(present(response as Response, { filters, hour, places })),
      };
    };
    const json = await cache.answer(questionOf(hourOf(now)), { turns, requester, deadline });
    if (cost !== 'small') cache.remember(digestOf([index, name, filters]), (at) => questionOf(hourOf(at)));
    return json;
  };
}

/**
 * Refreshes the most requested results, when the documents have changed and then remained unchanged since the last call, so
 * that the first request after a run is not slower. One at a time, and only while no request waits.
 * @returns the number of refreshed results
 */
export function warmAggregations(
  { search, turns }: Pick<CacheServices, 'search' | 'turns'>,
  now: number,
): Promise<number> {
  return cacheOf(search).warm(turns, now);
}

/** To be called by a process that has changed an index itself, and wants to see it at once. */
export function forgetStates(search: SearchEngine): void {
  cacheOf(search).forgetStates();
}

/** A short name of what may be as long as a caller makes it. */
const digestOf = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url');

/** A fixed hour, where the hour does not matter. */
const EPOCH = hourOf(0);

/** The target of an aggregation, and the identity of its documents. */
interface Asked {
  index: string;
  preference: string;
  /** Equal for all aggregations of the same documents, at any hour. */
  cohort: string;
}

/** An aggregation, and the key of its result. */
interface Question {
  key: string;
  cost: Cost;
  /** The state of the index, as one of its copies has it. */
  state: SharedReading<string>;
  /** Runs other searches of the index and then the aggregation, in one round trip. */
  ask(bodies: readonly Body[]): Promise<unknown[]>;
  /** Renders the result as JSON. */
  present(response: unknown): string;
}

interface StateResponse {
  hits: unknown;
  aggregations: unknown;
}

const versionOf = ({ hits, aggregations }: StateResponse): string => JSON.stringify([hits, aggregations]);

interface Entry {
  /** State of the documents that the JSON was made from. */
  version: string;
  json: string;
}

interface Remembered {
  asked: number;
  question(now: number): Question;
}

/** The cache of one search engine, and the queue of aggregations that are to fill it. */
class AggregationCache {
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ version, json }, key) => key.length + version.length + json.length,
  });
  /** Waiting and running computations, by key. */
  readonly #underWay = new Map<string, Computation>();
  readonly #states = new Map<string, SharedReading<string>>();
  /** Number of documents at the last request. */
  readonly #sizes = new LRUCache<string, number>({ max: MAX_SIZES });
  readonly #remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });
  /** The last state each aggregation was checked in. */
  #seen: ReadonlyMap<SharedReading<string>, string> = new Map();

  stateOf(search: SearchEngine, index: string, preference: string): SharedReading<string> {
    const name = `${index} ${preference}`;
    const state =
      this.#states.get(name) ??
      new SharedReading(async () =>
        versionOf(await search.search<StateResponse>(index, dataVersionBody(), { preference })),
      );
    this.#states.set(name, state);
    return state;
  }

  forgetStates(): void {
    for (const state of this.#states.values()) state.forget();
  }

  /**
   * Searches in the way that is fastest for the last known number of documents. If it is unknown and matters, they are counted
   * first. Other searches are sent before.
   */
  async ask(
    search: SearchEngine,
    { index, preference, cohort }: Asked,
    bodies: readonly Body[],
    body: Body,
  ): Promise<unknown[]> {
    const values = valuesBody(body);
    const answers: unknown[] = [];
    const send = async (last: Body): Promise<unknown> => {
      // Where a search does not say how many there are, the engine does as it always does.
      const keepLast = body.track_total_hits !== true || (this.#sizes.get(cohort) ?? 0) > MANY;
      const asked = answers.length < bodies.length ? [...bodies, last] : [last];
      const found = await search.searchInTurn(index, asked, { preference, keepLast });
      answers.push(...found.slice(0, -1));
      return found.at(-1);
    };
    const note = (answer: unknown): void => {
      const size = (answer as { hits?: { total?: { value?: number } } }).hits?.total?.value;
      if (size !== undefined) this.#sizes.set(cohort, size);
    };
    if (values !== null && !this.#sizes.has(cohort)) note(await send(sizeBody(body)));
    const few = values !== null && (this.#sizes.get(cohort) ?? Number.POSITIVE_INFINITY) <= FEW_LISTINGS;
    // They may have become more in between.
    const answer = (few ? answerOfValues(body, (await send(values)) as ValuesAnswer) : null) ?? (await send(body));
    note(answer);
    return [...answers, answer];
  }

  /** Counts requests by name. */
  remember(name: string, question: Remembered['question']): void {
    const known = this.#remembered.get(name);
    if (known) known.asked++;
    else this.#remembered.set(name, { asked: 1, question });
  }

  /**
   * Returns the JSON of an aggregation: cached, of an equal running one, or computed when the requester has a turn.
   * @throws OverloadError if it can neither be computed nor wait
   * @throws StoreError
   */
  async answer(question: Question, { turns, requester, deadline }: Asking): Promise<string> {
    const { key, cost } = question;
    if (cost === 'small') return waitFor(this.#fill(question), requester, deadline);
    const arrived = performance.now();
    for (let first = true; ; first = false) {
      const kept = await this.#kept(question);
      if (kept !== null) return kept;
      const other = this.#underWay.get(key);
      const computation = other ?? this.#compute(question, turns, cost);
      try {
        const json = await computation.join(requester, deadline);
        // A result that was begun earlier may be too old for this request.
        if (computation.begunAt >= arrived) return json;
      } catch (error) {
        if (!(first && other && computation.hasFailed)) throw error;
      }
    }
  }

  #compute(question: Question, turns: Turns, lane: ExpensiveLane): Computation {
    const { key } = question;
    const computation = new Computation({
      run: () => this.#fill(question),
      enter: (name) => turns.enter(lane, name),
      end: () => {
        if (this.#underWay.get(key) === computation) this.#underWay.delete(key);
      },
    });
    this.#underWay.set(key, computation);
    return computation;
  }

  async warm(turns: Turns, now: number): Promise<number> {
    const popular = [...this.#remembered.values()].sort((a, b) => b.asked - a.asked).slice(0, MAX_WARMED);
    const seen = new Map<SharedReading<string>, string>();
    let answered = 0;
    for (const { question } of popular) {
      const asked = question(now);
      const version = seen.get(asked.state) ?? (await asked.state.read());
      seen.set(asked.state, version);
      const atRest = this.#seen.get(asked.state) === version;
      if (!atRest || this.#entries.peek(asked.key)?.version === version) continue;
      if (!turns.isIdle) break;
      const deadline = performance.now() + WARM_LIMIT_MS;
      await this.answer(asked, { turns, requester: internalRequester('warm'), deadline });
      answered++;
    }
    this.#seen = seen;
    // Earlier requests count less with each run.
    if (answered > 0) for (const remembered of this.#remembered.values()) remembered.asked /= 2;
    return answered;
  }

  /** Returns the cached result, if the documents are unchanged. */
  async #kept({ key, state }: Question): Promise<string | null> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    return entry.version === (state.known ?? (await state.read())) ? entry.json : null;
  }

  async #fill(question: Question): Promise<string> {
    // An equal request may have filled it while this one waited.
    const kept = await this.#kept(question);
    if (kept !== null) return kept;
    const { key, state } = question;
    let version = state.known;
    let response: unknown;
    if (version !== undefined) [response] = await question.ask([]);
    else {
      const begun = performance.now();
      // Reads the state first: a result may be newer than its cached state, never older.
      const [first, second] = await question.ask([dataVersionBody()]);
      version = versionOf(first as StateResponse);
      state.note(version, begun);
      response = second;
    }
    const json = question.present(response);
    this.#entries.set(key, { version, json });
    return json;
  }
}

/** A request for a result. */
interface Asking extends Pick<AggregationRequest<unknown>, 'requester' | 'deadline'> {
  turns: Turns;
}

interface ComputationOptions {
  run(): Promise<string>;
  /** @throws OverloadError */
  enter(name: string): Place;
  /** Called when it is done, or when the last requester has left before it began. */
  end(): void;
}

/** The requesters of one name that wait for a computation, and their place in the queue. */
interface Share {
  place: Place;
  requesters: number;
  /** Resolves when one of them is charged. */
  charged: PromiseWithResolvers<void>;
}

/**
 * A computation that several requesters wait for. Each name has its own place in the queue, so that none waits for the
 * backlog of another; the first turn that comes up computes for all. A requester that leaves does not affect the others;
 * without requesters nothing remains in the queue.
 */
class Computation {
  readonly #options: ComputationOptions;
  readonly #shares = new Map<string, Share>();
  readonly #result = Promise.withResolvers<string>();
  /** Of `performance.now()`; infinite until it begins. */
  begunAt = Number.POSITIVE_INFINITY;
  hasFailed = false;

  constructor(options: ComputationOptions) {
    this.#options = options;
    // A requester that waits sees a failure; without requesters it must not count as unhandled.
    this.#result.promise.catch(() => {});
  }

  get #hasBegun(): boolean {
    return this.begunAt < Number.POSITIVE_INFINITY;
  }

  /** @throws OverloadError when there is no place for the name of the requester */
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
      const share = { place: this.#options.enter(name), requesters: 0, charged: Promise.withResolvers<void>() };
      this.#shares.set(name, share);
      void this.#runInTurn(share);
      return share;
    } catch (error) {
      if (this.#shares.size === 0) this.#options.end();
      throw error;
    }
  }

  async #runInTurn(share: Share): Promise<void> {
    await share.place.begun;
    await share.charged.promise;
    if (this.#hasBegun || share.requesters === 0) return;
    this.begunAt = performance.now();
    for (const other of this.#shares.values()) if (other !== share) other.place.leave();
    try {
      this.#result.resolve(await this.#options.run());
    } catch (error) {
      this.hasFailed = true;
      this.#result.reject(error);
    } finally {
      share.place.leave();
      this.#options.end();
    }
  }

  #leave(name: string, { place }: Share): void {
    if (this.#hasBegun) return;
    place.leave();
    this.#shares.delete(name);
    if (this.#shares.size === 0) this.#options.end();
  }
}

const caches = new WeakMap<SearchEngine, AggregationCache>();

function cacheOf(search: SearchEngine): AggregationCache {
  const cache = caches.get(search) ?? new AggregationCache();
  caches.set(search, cache);
  return cache;
}
