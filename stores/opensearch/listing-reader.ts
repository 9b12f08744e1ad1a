import { LRUCache } from 'lru-cache';
import {
  type Addresses,
  type PreparedListing,
  type PreparedRow,
  prepareHits,
  prepareListing,
} from '#domain/listings/present.ts';
import type { DigestHit, ListingsResponse, StoredHit } from '#domain/listings/stored-form.ts';
import { byIdsBody, digestsOnly, withDigests } from '#queries/listings/search.ts';
import type { SearchEngine } from './read-engine.ts';

/** In bytes: key, objects, and list positions in the cache. */
const ENTRY_OVERHEAD = 500;

type Body = Readonly<Record<string, unknown>>;

export interface ReadOptions {
  /** Deadline as a `performance.now()` timestamp, if earlier than the timeout of the reader. */
  deadline: number;
  /** Whether the client reads each listing once, which is not cached. */
  scan?: boolean;
}

export interface ListingReaderOptions {
  search: SearchEngine;
  addresses: Addresses;
  /** Maximum memory for cached listings in bytes; 0 disables the cache. */
  cacheBytes: number;
  /** Timeout in milliseconds for all requests of a page together. */
  timeout: number;
}

/**
 * OpenSearch finds the hits of a page much faster than it fetches their contents. Searches therefore request digests,
 * and cached listings with the same digest are served from memory. No invalidation is needed.
 */
export class ListingReader {
  readonly #options: ListingReaderOptions;
  /** By id and digest. Null if disabled. */
  readonly #cache: LRUCache<string, PreparedListing> | null;
  #hits = 0;
  #misses = 0;

  constructor(options: ListingReaderOptions) {
    this.#options = options;
    const { cacheBytes: maxSize } = options;
    const sizeCalculation = ({ bytes }: PreparedListing): number => bytes.length + ENTRY_OVERHEAD;
    this.#cache = maxSize === 0 ? null : new LRUCache({ maxSize, sizeCalculation });
  }

  /** Reads the rows of a search. The last sort key must be the id, as a tie-breaker. @throws StoreError */
  async read(body: Body, { deadline, scan = false }: ReadOptions): Promise<PreparedRow[]> {
    const latest = Math.min(deadline, performance.now() + this.#options.timeout);
    const rows = this.#cache && !scan ? await this.#byDigest(body, this.#cache, latest) : null;
    return rows ?? prepareHits(await this.#search<StoredHit>(body, latest), this.#options.addresses);
  }

  /** Returns the numbers of listings from memory and from OpenSearch. */
  reads() {
    const { size: entries = 0, calculatedSize: bytes = 0 } = this.#cache ?? {};
    return { hits: this.#hits, misses: this.#misses, entries, bytes };
  }

  /** Returns null if a listing has no digest, or changed between the two requests. */
  async #byDigest(body: Body, cache: LRUCache<string, PreparedListing>, latest: number): Promise<PreparedRow[] | null> {
    const found = await this.#search<DigestHit>(digestsOnly(body), latest);
    const listings = found.map((hit) => cache.get(keyOf(hit)));
    const missing = found.filter((_, at) => listings[at] === undefined).map(({ sort }) => Number(sort.at(-1)));
    this.#hits += found.length - missing.length;
    this.#misses += missing.length;
    const fetched = new Map<string, PreparedListing>();
    if (missing.length > 0) {
      for (const hit of await this.#search<StoredHit>(withDigests(byIdsBody(missing)), latest)) {
        const listing = prepareListing(hit._source, this.#options.addresses);
        if (hit.fields) cache.set(keyOf(hit), listing);
        fetched.set(keyOf(hit), listing);
      }
    }
    const rows: PreparedRow[] = [];
    for (const [at, hit] of found.entries()) {
      const listing = listings[at] ?? fetched.get(keyOf(hit));
      if (!listing || !hit.fields) return null;
      rows.push({ listing, sort: hit.sort });
    }
    return rows;
  }

  async #search<Hit>(body: Body, deadline: number): Promise<readonly Hit[]> {
    const { hits } = await this.#options.search.search<ListingsResponse<Hit>>('listings', body, { deadline });
    return hits.hits;
  }
}

/** The id is the last sort value, which is also present if a search reads no stored field. */
const keyOf = ({ sort, fields }: DigestHit): string => `${sort.at(-1)} ${fields?.digest[0]}`;
