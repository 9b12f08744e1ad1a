import { LRUCache } from 'lru-cache';
import {
  type Addresses,
  type PreparedListing,
  type PreparedRow,
  type Presentation,
  type PresentedPage,
  prepareListing,
  presentDigested,
  presentPrepared,
  presentSearchAnswer,
} from '#domain/listings/present.ts';
import {
  cutDigestedHits,
  cutFound,
  type DigestedHit,
  type FoundHit,
  hasDigests,
} from '#domain/listings/stored-form.ts';
import { byIdsBody, digestsOnly, withDigests } from '#queries/listings/search.ts';
import type { SearchEngine } from './read-engine.ts';

/** Bytes per cache entry in addition to the listing: key, objects, and list positions in the cache. */
const ENTRY_OVERHEAD = 500;
/** Number of rows whose fetch takes as long as one additional request, estimated from pages of 25 and 100 rows. */
const ROWS_PER_REQUEST_COST = 30;
/** Weight of the latest page in the moving average of the expected gain. */
const LATEST_SHARE = 0.1;
const LEAST_GAIN = -ROWS_PER_REQUEST_COST * LATEST_SHARE;
/** Approximate bytes per entry, used to limit the number of remembered keys. */
const USUAL_ENTRY = 3_000;

/** A page of search results. */
export interface ListingPage {
  /** Renders the first rows of the page. The bytes are valid until `free` is called. */
  present(limit: number, presentation: Presentation): PresentedPage;
  free(): void;
}

export interface ReadOptions {
  /** Maximum number of rows to render. The search may request one extra row to detect whether there is a next page. */
  limit: number;
  /** Kind of search, such as its endpoint. Searches of one kind have similar cache hit rates. There are few kinds. */
  kind: string;
  /** Deadline as a `performance.now()` timestamp, if earlier than the timeout of the reader. */
  deadline: number;
}

/** Numbers of pages and listings read since the start of the process, and the current cache size. */
export interface ListingReads {
  /** Pages requested by digest, and those of them read again because a listing had changed in between. */
  by_digest: number;
  again: number;
  /** Number of pages read completely, including those read again. */
  whole: number;
  /** Numbers of cache hits and cache misses, counted in listings. */
  hits: number;
  misses: number;
  entries: number;
  bytes: number;
  max_bytes: number;
}

export interface ListingReaderOptions {
  search: SearchEngine;
  addresses: Addresses;
  /** Maximum memory for cached listings in bytes; 0 disables the cache. */
  cacheBytes: number;
  /** Timeout in milliseconds for all requests of a page together. */
  timeout: number;
}

/** A search that returns one page. */
interface PageSearch extends ReadOptions {
  body: Readonly<Record<string, unknown>>;
}

/**
 * Reads pages of listings. OpenSearch finds the hits of a page much faster than it fetches their contents. Searches
 * therefore request digests of the stored listings, and cached listings with the same digest are served from memory. A
 * changed listing has a different digest, so no invalidation is needed, and the response equals that of a search for
 * the stored bytes. If few listings are cached for a kind of search, its pages are read completely.
 */
export class ListingReader {
  readonly #options: ListingReaderOptions;
  readonly #cache: ListingCache | null;
  /** Expected gain from requests by digest for each kind of search, in units of the time it takes to fetch a row. */
  readonly #gains = new Map<string, number>();
  readonly #counts = { by_digest: 0, again: 0, whole: 0, hits: 0, misses: 0 };

  constructor(options: ListingReaderOptions) {
    this.#options = options;
    this.#cache = options.cacheBytes === 0 ? null : new ListingCache(options.cacheBytes, options.addresses);
  }

  /** Reads a page of search results. The last sort key must be the id, as a tie-breaker. @throws StoreError */
  async read(body: PageSearch['body'], options: ReadOptions): Promise<ListingPage> {
    const deadline = Math.min(options.deadline, performance.now() + this.#options.timeout);
    if (this.#cache === null)
      return unknownPage(await this.#options.search.searchPooled('listings', body, { deadline }));
    const page = { ...options, body, deadline };
    const gain = this.#gains.get(options.kind) ?? 0;
    return (gain > 0 ? await this.#byDigest(page, this.#cache) : null) ?? this.#whole(page, this.#cache);
  }

  /** Returns statistics for the log and the metrics. */
  reads(): ListingReads {
    const { entries = 0, bytes = 0 } = this.#cache ?? {};
    return { ...this.#counts, entries, bytes, max_bytes: this.#options.cacheBytes };
  }

  /** Reads a page by digest. Returns null if a listing changed between the two requests. */
  async #byDigest(page: PageSearch, cache: ListingCache): Promise<ListingPage | null> {
    this.#counts.by_digest++;
    const found = await this.#search(digestsOnly(page.body), page, cutFound);
    const shown = found.slice(0, page.limit).map((hit) => ({ hit, listing: cache.get(hit) }));
    const missing = shown.flatMap(({ hit, listing }) => (listing === undefined ? [Number(hit.id)] : []));
    this.#note(page.kind, shown.length, missing.length);
    const fetched = new Map<string, PreparedListing>();
    if (missing.length > 0) {
      // A document may have been changed or deleted in the meantime; then its digest differs.
      const hits = await this.#search(withDigests(byIdsBody(missing)), page, (answer) =>
        cutDigestedHits(answer).map((hit) => [keyOf(hit), cache.keep(hit)] as const),
      );
      for (const [key, listing] of hits) fetched.set(key, listing);
    }
    const rows: PreparedRow[] = [];
    for (const { hit, listing = fetched.get(keyOf(hit)) } of shown) {
      if (listing === undefined) {
        this.#counts.again++;
        this.#learn(page.kind, -ROWS_PER_REQUEST_COST);
        return null;
      }
      rows.push({ listing, sort: hit.sort });
    }
    return preparedPage(rows, found.length);
  }

  async #whole(page: PageSearch, cache: ListingCache): Promise<ListingPage> {
    const { body, limit, kind, deadline } = page;
    this.#counts.whole++;
    const { bytes, free } = await this.#options.search.searchPooled('listings', withDigests(body), { deadline });
    try {
      if (!hasDigests(bytes)) return unknownPage({ bytes, free });
      const hits = cutDigestedHits(bytes);
      const shown = hits.slice(0, limit);
      const unknown = shown.filter((hit) => !cache.sees(hit));
      this.#note(kind, shown.length, unknown.length);
      return { present: (most, presentation) => presentDigested(hits, most, presentation), free };
    } catch (error) {
      free();
      throw error;
    }
  }

  async #search<T>(body: PageSearch['body'], { deadline }: PageSearch, read: (answer: Buffer) => T): Promise<T> {
    const { bytes, free } = await this.#options.search.searchPooled('listings', body, { deadline });
    try {
      return read(bytes);
    } finally {
      free();
    }
  }

  /** Records the number of cache misses on a page. */
  #note(kind: string, rows: number, misses: number): void {
    this.#counts.hits += rows - misses;
    this.#counts.misses += misses;
    this.#learn(kind, rows - misses - (misses > 0 ? ROWS_PER_REQUEST_COST : 0));
  }

  #learn(kind: string, gain: number): void {
    const before = this.#gains.get(kind) ?? 0;
    // The lower bound ensures that requests by digest are soon attempted again for this kind of search, no matter how
    // long they brought no gain.
    this.#gains.set(kind, Math.max(LEAST_GAIN, before + (gain - before) * LATEST_SHARE));
  }
}

/** LRU cache of listings by id and digest. */
class ListingCache {
  readonly #addresses: Addresses;
  readonly #listings: LRUCache<string, PreparedListing>;
  readonly #maxKeys: number;
  /** Recently seen keys that are not cached, in two generations. */
  #latest = new Set<string>();
  #earlier = new Set<string>();

  constructor(maxSize: number, addresses: Addresses) {
    this.#addresses = addresses;
    this.#maxKeys = Math.ceil(maxSize / USUAL_ENTRY);
    const sizeCalculation = ({ bytes }: PreparedListing): number => bytes.length + ENTRY_OVERHEAD;
    this.#listings = new LRUCache({ maxSize, sizeCalculation });
  }

  get entries(): number {
    return this.#listings.size;
  }

  get bytes(): number {
    return this.#listings.calculatedSize;
  }

  get(hit: FoundHit): PreparedListing | undefined {
    return this.#listings.get(keyOf(hit));
  }

  keep(hit: DigestedHit): PreparedListing {
    const listing = prepareListing(hit, this.#addresses);
    this.#listings.set(keyOf(hit), listing);
    return listing;
  }

  /**
   * Returns whether a listing of a completely read page is cached. If not, caches it when it is seen for the second
   * time, so that a client that reads all listings once evicts nothing.
   */
  sees(hit: DigestedHit): boolean {
    const key = keyOf(hit);
    if (this.#listings.get(key) !== undefined) return true;
    if (this.#latest.has(key) || this.#earlier.has(key)) {
      if (hit.display.length + ENTRY_OVERHEAD <= this.#listings.maxSize) this.keep(hit);
      return false;
    }
    this.#latest.add(key);
    if (this.#latest.size >= this.#maxKeys) {
      this.#earlier = this.#latest;
      this.#latest = new Set();
    }
    return false;
  }
}

const keyOf = ({ id, digest }: Pick<FoundHit, 'id' | 'digest'>): string => `${id} ${digest}`;

function preparedPage(rows: readonly PreparedRow[], found: number): ListingPage {
  return {
    present: (limit, presentation) => presentPrepared(rows.slice(0, limit), found > limit, presentation),
    free: () => {},
  };
}

function unknownPage({ bytes, free }: { bytes: Buffer; free(): void }): ListingPage {
  return { present: (limit, presentation) => presentSearchAnswer(bytes, limit, presentation), free };
}
