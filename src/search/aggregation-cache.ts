import { hash } from 'node:crypto';
import PQueue from 'p-queue';
import { StoreError } from '#domain/store-error.ts';
import { dataVersionBody } from '#queries/market/data-version.ts';
import type { Services } from '#src/services.ts';
import { indexNames } from './client.ts';

/** Characters of answers that are kept for one engine. */
const ROOM = 32 * 1024 * 1024;

/**
 * Aggregations of one process that the engine works on at a time. Hundreds of digests take tens of megabytes of its
 * heap: eight such requests at once trip its breaker, two do not, and more than there are processors gains nothing.
 */
const AT_A_TIME = 2;
/** Questions that may wait for their turn, and milliseconds one may take with its wait; beyond it the caller is told to come back. */
const MAX_WAITING = 64;
const LONGEST_WAIT = 4_000;

interface StateAnswer {
  hits: unknown;
  aggregations: unknown;
}

interface Kept {
  version: string;
  answer: string;
}

/** Answers by what was asked, the longest unread given up first. */
class AggregationCache {
  #room = ROOM;
  readonly #kept = new Map<string, Kept>();
  readonly #turns = new PQueue({ concurrency: AT_A_TIME });

  /** Runs `ask` when it is its turn. @throws StoreError when too many wait, or for too long */
  async inTurn<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#turns.size >= MAX_WAITING)
      throw new StoreError('opensearch', true, new Error('too many aggregations wait'));
    const limit = AbortSignal.timeout(LONGEST_WAIT);
    try {
      return await this.#turns.add(ask, { signal: limit });
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new StoreError('opensearch', true, new Error('an aggregation took or waited too long'));
    }
  }

  read(key: string, version: string): string | undefined {
    const kept = this.#kept.get(key);
    if (kept?.version !== version) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.answer;
  }

  keep(key: string, kept: Kept): void {
    this.#delete(key);
    this.#kept.set(key, kept);
    this.#room -= key.length + kept.answer.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#room >= 0) break;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#room += key.length + kept.answer.length;
  }
}

/** One an engine. */
const stores = new WeakMap<Services['search'], AggregationCache>();

/**
 * What `present` makes of the engine's answer to a body, as JSON; kept as long as the listings are as they were. Their
 * state is asked for each time, so that an answer is never older than a search at the same moment: half a millisecond,
 * where the engine with the same request in its own cache takes up to ten to put hundreds of digests together.
 * @param name of what is made, as several things may be made of one body
 * @param present depends on nothing but the answer, the body, and the names of places
 */
export async function cachedAggregation<T>(
  { search, config }: Pick<Services, 'search' | 'config'>,
  name: string,
  body: Readonly<Record<string, unknown>>,
  present: (answer: T) => unknown,
): Promise<string> {
  const index = indexNames(config.opensearch.indexPrefix).listings;
  const store = stores.get(search) ?? new AggregationCache();
  stores.set(search, store);
  const key = hash('sha256', `${index} ${name} ${JSON.stringify(body)}`, 'base64url');
  // Copies of the index refresh each at its own moment: the state and the answer must come from the same one.
  const preference = key.replace(/^_+/, '');
  const { hits, aggregations } = await search.search<StateAnswer>(index, dataVersionBody(), { preference });
  const version = JSON.stringify([hits, aggregations]);
  const kept = store.read(key, version);
  if (kept !== undefined) return kept;
  const found = await store.inTurn(async (): Promise<T | string> => {
    // Asked by another meanwhile.
    const made = store.read(key, version);
    return made ?? search.search<T>(index, body, { preference });
  });
  if (typeof found === 'string') return found;
  const answer = JSON.stringify(present(found));
  store.keep(key, { version, answer });
  return answer;
}
