import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { Places } from '#domain/geography/reference.ts';
import { StoreError } from '#domain/store-error.ts';
import { dataVersionBody } from '#queries/market/data-version.ts';
import { type Hour, hourOf } from '#queries/market/window.ts';
import type { Services } from '#src/services.ts';
import { type IndexNames, indexNames } from './client.ts';

/** Characters that the cached JSON of one search engine may have in all. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Aggregations that one process runs at a time. Hundreds of t-digests take tens of megabytes of OpenSearch's heap: eight
 * such requests at once trip its circuit breaker, two do not, and more than there are processors gain nothing.
 */
const CONCURRENCY = 2;
/** Requests that may wait for their turn, and milliseconds one may take with its wait; beyond either it is a 503. */
const MAX_WAITING = 64;
const MAX_WAIT_MS = 4_000;

/** The whole input of a cached answer. There is no clock in it but the full hour, which is part of the cache key. */
export interface CachedRequest<Filters> {
  filters: Filters;
  hour: Hour;
  places: Pick<Places, 'neighborhoods'>;
}

/** An aggregation whose presented JSON is cached. Both functions are pure. */
export interface CachedAggregation<Filters, Response> {
  /** Distinguishes aggregations with equal filters. */
  name: string;
  /** What is searched; the listings, when left out. */
  index?: keyof IndexNames;
  body(filters: Filters, hour: Hour): Readonly<Record<string, unknown>>;
  present(response: Response, request: CachedRequest<Filters>): object;
}

/** The filters of a request and when it came. */
export interface AggregationRequest<Filters> {
  services: Pick<Services, 'search' | 'config' | 'places'>;
  filters: Filters;
  now: number;
}

/**
 * A reader of a cached aggregation: its presented JSON, cached as long as the documents of its index do not change. To be made once,
 * outside of any request, so that what is cached cannot depend on one.
 *
 * The state of the documents is read on every request, so that an answer is never older than a search at the same moment.
 * That takes half a millisecond, where OpenSearch takes up to ten to merge hundreds of t-digests even out of its own
 * request cache.
 */
export function cachedAggregation<Filters, Response>({
  name,
  index: searched = 'listings',
  body,
  present,
}: CachedAggregation<Filters, Response>) {
  return async ({ services, filters, now }: AggregationRequest<Filters>): Promise<string> => {
    const { search, config, places } = services;
    const hour = hourOf(now);
    const index = indexNames(config.opensearch.indexPrefix)[searched];
    const cache = caches.get(search) ?? new AggregationCache();
    caches.set(search, cache);
    const key = hash('sha256', JSON.stringify([index, name, hour, filters]), 'base64url');
    // Copies of the index refresh at different moments: the state and the aggregation must come from the same one.
    const preference = key.replace(/^_+/, '');
    const { hits, aggregations } = await search.search<StateResponse>(index, dataVersionBody(), { preference });
    const version = JSON.stringify([hits, aggregations]);
    const cached = cache.get(key, version);
    if (cached !== undefined) return cached;
    return cache.inTurn(async () => {
      // An equal request may have filled it while this one waited.
      const filled = cache.get(key, version);
      if (filled !== undefined) return filled;
      const response = await search.search<Response>(index, body(filters, hour), { preference });
      const json = JSON.stringify(present(response, { filters, hour, places }));
      cache.set(key, { version, json });
      return json;
    });
  };
}

interface StateResponse {
  hits: unknown;
  aggregations: unknown;
}

interface Entry {
  /** State of the listings that the JSON was made from. */
  version: string;
  json: string;
}

/** The cache of one search engine, and the queue of aggregations that are to fill it. */
class AggregationCache {
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ version, json }, key) => key.length + version.length + json.length,
  });
  readonly #queue = new PQueue({ concurrency: CONCURRENCY });

  /** Runs a task when it is its turn. @throws StoreError when too many wait, or one waits for too long */
  async inTurn<T>(task: () => Promise<T>): Promise<T> {
    if (this.#queue.size >= MAX_WAITING)
      throw new StoreError('opensearch', true, new Error('too many aggregations wait'));
    const limit = AbortSignal.timeout(MAX_WAIT_MS);
    try {
      return await this.#queue.add(task, { signal: limit });
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new StoreError('opensearch', true, new Error('an aggregation took or waited too long'));
    }
  }

  get(key: string, version: string): string | undefined {
    const entry = this.#entries.get(key);
    return entry?.version === version ? entry.json : undefined;
  }

  set(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
  }
}

const caches = new WeakMap<Services['search'], AggregationCache>();
