import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Places } from '#domain/geography/reference.ts';
import type { ServedIndex } from '#domain/index-state.ts';
import { type Load, OVERLOAD, type ReadQueues, type Requester } from '#domain/read-queues.ts';
import { type Hour, hourOf } from '#queries/market/cohort.ts';
import {
  aggregateValues,
  isMostlySmall,
  MAX_LISTINGS_BY_VALUE,
  sizeBody,
  type ValuesResponse,
  valuesBody,
} from '#queries/market/collected.ts';
import type { IndexGuard } from './index-guard.ts';
import type { SearchEngine } from './read-engine.ts';

/** In characters. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

type Body = Readonly<Record<string, unknown>>;
type Search = (body: Body) => Promise<unknown>;

/** Whether the engine computed the medians and percentiles of a response, within 1%. */
export interface Approximation {
  approximate: boolean;
}

/** The complete input of a cached result. Its only timestamp is the full hour, which is part of the key. */
interface CachedRequest<Filters> {
  filters: Filters;
  hour: Hour;
  places: Pick<Places, 'neighborhoods' | 'cities'>;
}

/** An aggregation whose rendered JSON is cached. */
interface CachedAggregation<Filters, Response> {
  /** Distinguishes aggregations with equal filters in the cache key. */
  name: string;
  /** Index to search. Defaults to `listings`. */
  index?: ServedIndex;
  /** Queue in which a computation waits. Defaults to `statistics`. */
  queue?: Load;
  body(filters: Filters, hour: Hour): Body;
  present(response: Response & Approximation, request: CachedRequest<Filters>): object;
}

/** A request for an aggregation. `now` is its arrival time in epoch milliseconds. */
export interface AggregationRequest<Filters> {
  services: {
    statistics: StatisticsCache;
    search: SearchEngine<[options: { deadline: number }]>;
    indexGuard: Pick<IndexGuard, 'generation'>;
    readQueues: ReadQueues;
    places: CachedRequest<Filters>['places'];
  };
  filters: Filters;
  now: number;
  /** Deadline of the request, as a `performance.now()` timestamp. */
  deadline: number;
  requester: Requester;
}

/**
 * Creates a function that returns the JSON of an aggregation, cached until the hour ends or the index changes. Call it
 * once at startup, so that cached results cannot depend on a request.
 */
export function cachedAggregation<Filters, Response>(aggregation: CachedAggregation<Filters, Response>) {
  const { name, index = 'listings', queue = 'statistics', body, present } = aggregation;
  return ({ services, filters, now, deadline, requester }: AggregationRequest<Filters>): Promise<string> => {
    const { statistics, search, indexGuard, readQueues, places } = services;
    const hour = hourOf(now);
    const send: Search = (asked) => search.search(index, asked, { deadline });
    const compute = async (): Promise<string> => {
      const response = await aggregate<Response>(send, body(filters, hour));
      return JSON.stringify(present(response, { filters, hour, places }));
    };
    const generation = indexGuard.generation(index);
    const key = hash('sha256', JSON.stringify([generation, index, name, hour, filters]), 'base64url');
    // The result is shared, so it ignores the connection of the first requester.
    const { name: of, isVisitor = false } = requester;
    const inTurn = () => readQueues.run(queue, { name: of, isVisitor }, deadline, compute);
    return statistics.read(key, generation !== null, requester, inTurn);
  };
}

/** Computes statistics from all values, or by OpenSearch if more than `MAX_LISTINGS_BY_VALUE` listings match. */
export async function aggregate<Response>(search: Search, body: Body): Promise<Response & Approximation> {
  const values = valuesBody(body);
  const size = async () => ((await search(sizeBody(body))) as { hits: { total: { value: number } } }).hits.total.value;
  const isFew = values !== null && (isMostlySmall(body) || (await size()) <= MAX_LISTINGS_BY_VALUE);
  const exact = isFew ? aggregateValues(body, (await search(values)) as ValuesResponse) : null;
  return { ...((exact ?? (await search(body))) as Response), approximate: values !== null && exact === null };
}

/** Equal requests share a computation, except that others do not wait for those of visitors. */
export class StatisticsCache {
  readonly #cache = new LRUCache<string, string>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (json, key) => key.length + json.length,
  });
  readonly #computations = new Map<string, Promise<string>>();
  #reads = 0;
  #misses = 0;

  /** @param isCached false while the index is being written */
  async read(key: string, isCached: boolean, requester: Requester, compute: () => Promise<string>): Promise<string> {
    this.#reads++;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    requester.usedEngine = true;
    const name = requester.isVisitor ? `visitor ${key}` : key;
    const begin = (): Promise<string> => {
      this.#misses++;
      const computation = compute()
        .then((json) => {
          if (isCached) this.#cache.set(key, json);
          return json;
        })
        .finally(() => this.#computations.delete(name));
      this.#computations.set(name, computation);
      return computation;
    };
    const joined = this.#computations.get(name);
    return joined === undefined
      ? begin()
      : joined.catch((error: unknown) => {
          // The queue of the other organization was full.
          if (error === OVERLOAD) return this.#computations.get(name) ?? begin();
          throw error;
        });
  }

  reads() {
    const { size: entries, calculatedSize: characters } = this.#cache;
    return { hits: this.#reads - this.#misses, misses: this.#misses, entries, characters };
  }

  clear(): void {
    this.#cache.clear();
  }
}
