import { LRUCache } from 'lru-cache';
import {
  type Addresses,
  type PreparedListing,
  type PreparedRow,
  type Presentation,
  type PresentedPage,
  prepareListing,
  presentPrepared,
  presentSearchAnswer,
} from '#domain/listings/present.ts';
import { cutDigestedHits, cutFound, type FoundHit } from '#domain/listings/stored-form.ts';
import { byIdsBody, digestsOnly, withDigests } from '#queries/listings/search.ts';
import type { SearchEngine } from './read-engine.ts';

/** Bytes that an entry takes beside those of its listing: its key, its objects, its places in the lists of the cache. */
const ENTRY_OVERHEAD = 500;
/** Rows that take as long to fetch with a page as one more request takes, measured over pages of 25 and 100 rows. */
const ROWS_A_REQUEST = 30;
/** Share of the latest page in what is expected of the next one of its kind. */
const LATEST_SHARE = 0.1;

/** A page of listings that was searched for. */
export interface ListingPage {
  /** Its first rows as they are served. The bytes are there until `free`. */
  present(limit: number, presentation: Presentation): PresentedPage;
  free(): void;
}

export interface ReadOptions {
  /** Rows that may be presented. The search may ask for one more, which shows that there are more. */
  limit: number;
  /** Searches of one kind are alike in how many of their listings were asked for before. There are a few kinds. */
  kind: string;
}

/** What became of pages and listings since the start, and what is in memory now. */
export interface ListingReads {
  /** Pages that were asked for by digest; of these, those read again because a listing had changed meanwhile. */
  by_digest: number;
  again: number;
  /** Pages that were read whole, because few listings of their kind were known. */
  whole: number;
  /** Listings on all pages that were in memory, and that were not. */
  hits: number;
  misses: number;
  entries: number;
  bytes: number;
  max_bytes: number;
}

export interface ListingReaderOptions {
  search: SearchEngine;
  addresses: Addresses;
  /** Bytes of memory for listings; 0 keeps none. */
  cacheBytes: number;
  /** Milliseconds until a page is given up, however many requests it takes. */
  timeout: number;
}

/** A search for a page, and when it is given up. */
interface Asked extends ReadOptions {
  index: string;
  body: Readonly<Record<string, unknown>>;
  deadline: number;
}

/**
 * Reads pages of listings. The engine finds a page in a fraction of the time that it takes to fetch it: so a search asks
 * for digests of what is stored, and what has such a digest comes out of memory. A changed listing has another digest, so
 * that nothing is ever invalidated, and what is served is what the same search for the stored bytes would have answered.
 * While few listings of a kind of search are known, its pages are read whole.
 */
export class ListingReader {
  readonly #options: ListingReaderOptions;
  readonly #cache: LRUCache<string, PreparedListing> | null;
  /** How many rows' time asking for digests is expected to save, by kind. */
  readonly #gains = new Map<string, number>();
  readonly #counts = { by_digest: 0, again: 0, whole: 0, hits: 0, misses: 0 };

  constructor(options: ListingReaderOptions) {
    this.#options = options;
    const { cacheBytes: maxSize } = options;
    const sizeCalculation = ({ bytes }: PreparedListing): number => bytes.length + ENTRY_OVERHEAD;
    this.#cache = maxSize === 0 ? null : new LRUCache({ maxSize, sizeCalculation });
  }

  /** Reads a page of a search that is sorted by the id last. @throws StoreError */
  async read(index: string, body: Asked['body'], options: ReadOptions): Promise<ListingPage> {
    if (this.#cache === null) return unknownPage(await this.#options.search.searchPooled(index, body));
    const asked = { ...options, index, body, deadline: performance.now() + this.#options.timeout };
    const gain = this.#gains.get(options.kind) ?? 0;
    return (gain > 0 ? await this.#byDigest(asked, this.#cache) : null) ?? this.#whole(asked, this.#cache);
  }

  /** For the log. */
  reads(): ListingReads {
    const { size = 0, calculatedSize = 0 } = this.#cache ?? {};
    return { ...this.#counts, entries: size, bytes: calculatedSize, max_bytes: this.#options.cacheBytes };
  }

  /** Null when a listing was changed between the two requests. */
  async #byDigest(asked: Asked, cache: LRUCache<string, PreparedListing>): Promise<ListingPage | null> {
    this.#counts.by_digest++;
    const found = await this.#search(digestsOnly(asked.body), asked, cutFound);
    const shown = found.slice(0, asked.limit).map((hit) => ({ hit, listing: cache.get(keyOf(hit)) }));
    const missing = shown.flatMap(({ hit, listing }) => (listing === undefined ? [Number(hit.id)] : []));
    this.#note(asked.kind, shown.length, missing.length);
    const fetched = new Map<string, PreparedListing>();
    if (missing.length > 0) {
      // What it finds may be newer than what was found above, or gone: then it is not under the digest.
      const { rows } = await this.#fetch(byIdsBody(missing), { ...asked, limit: missing.length }, cache);
      for (const { key, listing } of rows) fetched.set(key, listing);
    }
    const rows: PreparedRow[] = [];
    for (const { hit, listing = fetched.get(keyOf(hit)) } of shown) {
      if (listing === undefined) {
        this.#counts.again++;
        this.#learn(asked.kind, -ROWS_A_REQUEST);
        return null;
      }
      rows.push({ listing, sort: hit.sort });
    }
    return preparedPage(rows, found.length);
  }

  async #whole(asked: Asked, cache: LRUCache<string, PreparedListing>): Promise<ListingPage> {
    this.#counts.whole++;
    const { rows, known, found } = await this.#fetch(asked.body, asked, cache);
    this.#note(asked.kind, rows.length, rows.length - known);
    return preparedPage(rows, found);
  }

  /** Reads listings with their bytes, and keeps those that were not known. */
  async #fetch(
    body: Asked['body'],
    asked: Asked,
    cache: LRUCache<string, PreparedListing>,
  ): Promise<{ rows: (PreparedRow & { key: string })[]; known: number; found: number }> {
    let known = 0;
    return this.#search(withDigests(body), asked, (answer) => {
      const hits = cutDigestedHits(answer);
      const rows = hits.slice(0, asked.limit).map((hit) => {
        const key = keyOf(hit);
        let listing = cache.get(key);
        if (listing === undefined) {
          listing = prepareListing(hit, this.#options.addresses);
          cache.set(key, listing);
        } else known++;
        return { key, listing, sort: hit.sort };
      });
      return { rows, known, found: hits.length };
    });
  }

  async #search<T>(body: Asked['body'], { index, deadline }: Asked, read: (answer: Buffer) => T): Promise<T> {
    const { bytes, free } = await this.#options.search.searchPooled(index, body, { deadline });
    try {
      return read(bytes);
    } finally {
      free();
    }
  }

  /** Notes how many rows of a page were not in memory, however the page was read. */
  #note(kind: string, rows: number, misses: number): void {
    this.#counts.hits += rows - misses;
    this.#counts.misses += misses;
    this.#learn(kind, rows - misses - (misses > 0 ? ROWS_A_REQUEST : 0));
  }

  #learn(kind: string, gain: number): void {
    const before = this.#gains.get(kind) ?? 0;
    this.#gains.set(kind, before + (gain - before) * LATEST_SHARE);
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
