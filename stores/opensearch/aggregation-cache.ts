import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Places } from '#domain/geography/reference.ts';
import type { ServedIndex } from '#domain/index-state.ts';
import { type Load, OVERLOAD, type ReadQueues, type Requester } from '#domain/read-queues.ts';
import { type Hour, hourOf } from '#queries/market/cohort.ts';
import {
  aggregateValues,
  isOfNeighborhoods,
  MAX_LISTINGS_BY_VALUE,
  sizeBody,
  type ValuesAnswer,
  valuesBody,
} from '#queries/market/collected.ts';
import type { IndexGuard } from './index-guard.ts';
import type { SearchEngine } from './read-engine.ts';

/** In characters. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

type Body = Readonly<Record<string, unknown>>;
type Search = (body: Body) => Promise<unknown>;

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
  present(response: Response, request: CachedRequest<Filters>): object;
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
      const response = await aggregate(send, body(filters, hour));
      return JSON.stringify(present(response as Response, { filters, hour, places }));
    };
    const generation = indexGuard.generation(index);
    const key = hash('sha256', JSON.stringify([generation, index, name, hour, filters]), 'base64url');
    // The result is shared, so it ignores the connection of the first requester.
    const inTurn = () => readQueues.run(queue, { name: requester.name }, deadline, compute);
    return statistics.read(key, generation !== null, inTurn);
  };
}

/** Statistics of many buckets are computed from values if few listings match, otherwise by OpenSearch. */
async function aggregate(search: Search, body: Body): Promise<unknown> {
  const values = valuesBody(body);
  const size = async () => ((await search(sizeBody(body))) as { hits: { total: { value: number } } }).hits.total.value;
  const few = values !== null && (isOfNeighborhoods(body) || (await size()) <= MAX_LISTINGS_BY_VALUE);
  return (few ? aggregateValues(body, (await search(values)) as ValuesAnswer) : null) ?? search(body);
}

/** Equal requests share a computation. */
export class StatisticsCache {
  readonly #cache = new LRUCache<string, string, () => Promise<string>>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (json, key) => key.length + json.length,
    // A result that is evicted while it is computed still has its requesters.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: compute }) => compute(),
  });
  #reads = 0;
  #misses = 0;

  async read(key: string, isCached: boolean, compute: () => Promise<string>): Promise<string> {
    this.#reads++;
    let isOwn = false;
    const context = (): Promise<string> => {
      isOwn = true;
      this.#misses++;
      return compute();
    };
    // While its index is being written, a result expires after a millisecond.
    const fetch = () => this.#cache.forceFetch(key, { context, ...(isCached ? {} : { ttl: 1 }) });
    try {
      return await fetch();
    } catch (error) {
      // The queue of another organization was full.
      if (error === OVERLOAD && !isOwn) return fetch();
      throw error;
    }
  }

  reads() {
    const { size: entries, calculatedSize: characters } = this.#cache;
    return { hits: this.#reads - this.#misses, misses: this.#misses, entries, characters };
  }

  clear(): void {
    this.#cache.clear();
  }
}
