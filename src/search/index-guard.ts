import { setTimeout as sleep } from 'node:timers/promises';
import {
  type IndexRecord,
  type IndexSource,
  type IndexVerdict,
  isPlausible,
  judgeIndex,
  SERVED_INDEXES,
  type ServedIndex,
  SHORT_AFTER_MS,
} from '#domain/index-state.ts';
import { StoreError } from '#domain/store-error.ts';
import type { AliasedIndex } from './indexes.ts';

/** Reads the state that the guard compares: serving indexes in OpenSearch and index records in Postgres. */
export interface GuardSources {
  shown(): Promise<ReadonlyMap<ServedIndex, AliasedIndex>>;
  registry(): Promise<ReadonlyMap<ServedIndex, { record: IndexRecord | null; source: IndexSource }>>;
  /** Returns the number of documents that an index should contain according to its Postgres tables. */
  expected(name: ServedIndex): Promise<number>;
}

/** The state of an index, as shown to operators. */
export interface IndexState {
  index: string | null;
  documents: number;
  /** Number of documents recorded in Postgres, or null if none was recorded. */
  recorded: number | null;
  lost: string | null;
  /** Only for the listings index. See `AliasedIndex`. */
  watermark: number | null;
  /** State of the tables of the index. */
  source: IndexSource;
}

/** Timeout for rechecking an index after an empty result, in milliseconds. */
const CONFIRM_LIMIT_MS = 1_000;

/**
 * Tracks which indexes can be read. The serving indexes are checked once a second in the background, so that requests
 * need no extra round trip. While OpenSearch is unavailable, the last result remains, because reads fail anyway. While
 * Postgres is unavailable, the last index records apply.
 */
export class IndexGuard {
  readonly #sources: GuardSources;
  readonly #now: () => number;
  #states: ReadonlyMap<ServedIndex, IndexState> = new Map();
  #registry: Awaited<ReturnType<GuardSources['registry']>> = new Map();
  /** Times at which each index was first found to have too few documents. */
  readonly #shortSince = new Map<ServedIndex, number>();
  /** Expected numbers of documents from Postgres by index uuid, for indexes whose mark is not recorded. */
  readonly #expected = new Map<string, { at: number; count: number }>();
  #reading: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  /** @param now returns milliseconds of a monotonic clock */
  constructor(sources: GuardSources, now: () => number = () => performance.now()) {
    this.#sources = sources;
    this.#now = now;
  }

  /** @throws StoreError if the index is lost, because reads would return incomplete results */
  check(name: ServedIndex): void {
    const lost = this.#states.get(name)?.lost;
    if (lost) throw new StoreError('opensearch', true, new Error(`the index of ${name} ${lost}`));
  }

  /**
   * Checks an index again after an empty result. If a datastore responds slowly, the last result applies.
   * @throws StoreError
   */
  async confirm(name: ServedIndex): Promise<void> {
    await Promise.race([this.refresh(), sleep(CONFIRM_LIMIT_MS, undefined, { ref: false })]);
    this.check(name);
  }

  /** Checks the serving indexes now. Calls during a running check share the next check. */
  refresh(): Promise<void> {
    if (this.#next) return this.#next;
    if (this.#reading === null) return this.#begin();
    this.#next = this.#reading.then(() => {
      this.#next = null;
      return this.#begin();
    });
    return this.#next;
  }

  /**
   * Returns the published watermark of the listings index in epoch microseconds. The watermark may be outdated and
   * therefore too low, which is safe.
   * @throws StoreError if no watermark is published: after an upgrade, until the worker publishes one
   */
  watermark(): number {
    const watermark = this.#states.get('listings')?.watermark ?? null;
    if (watermark === null)
      throw new StoreError('opensearch', true, new Error('no watermark of listings is published'));
    return watermark;
  }

  /** Identifies the documents of an index as of the last check. Null while it is being written, or if it is unknown. */
  generation(name: ServedIndex): string | null {
    const { index, watermark, source } = this.#states.get(name) ?? {};
    const version = name === 'listings' ? watermark : source?.version;
    return !index || source?.changing || version === null ? null : `${index} ${version}`;
  }

  /** Returns the state of each index as of the last check. */
  states(): ReadonlyMap<ServedIndex, IndexState> {
    return this.#states;
  }

  /** Returns the indexes that were lost as of the last check. */
  lost(): ServedIndex[] {
    return [...this.#states].flatMap(([name, { lost }]) => (lost === null ? [] : [name]));
  }

  #begin(): Promise<void> {
    const reading = this.#read().finally(() => {
      if (this.#reading === reading) this.#reading = null;
    });
    this.#reading = reading;
    return reading;
  }

  async #read(): Promise<void> {
    const [shown, registry] = await Promise.allSettled([this.#sources.shown(), this.#sources.registry()]);
    if (registry.status === 'fulfilled') this.#registry = registry.value;
    if (shown.status === 'rejected' || this.#registry.size === 0) return;
    const states = new Map<ServedIndex, IndexState>();
    for (const name of SERVED_INDEXES) {
      const { record, source } = this.#registry.get(name) ?? { record: null, source: { version: 0, changing: true } };
      const index = shown.value.get(name) ?? null;
      const lost = await this.#lost(name, judgeIndex(record, index, source), index);
      states.set(name, {
        index: index?.index ?? null,
        documents: index?.documents ?? 0,
        recorded: record?.documents ?? null,
        lost,
        watermark: index?.watermark ?? null,
        source,
      });
    }
    this.#states = states;
  }

  /** Returns the reason why an index must not be read, or null. */
  async #lost(name: ServedIndex, verdict: IndexVerdict, index: AliasedIndex | null): Promise<string | null> {
    if (verdict !== 'short') this.#shortSince.delete(name);
    if (verdict === 'serves') return null;
    if (index === null) return 'is missing';
    if (verdict === 'lost') return `was replaced by one with only ${index.documents} documents`;
    if (verdict === 'unverified') {
      // An index gets a recorded mark and the alias only after verification. An unrecorded mark means that Postgres was
      // restored, or that a snapshot restored an earlier index.
      if (index.mark !== null && index.documents > 0) return null;
      const expected = await this.#countExpected(name, index.uuid);
      if (expected === null || isPlausible(index.documents, expected)) return null;
      return `was replaced by one with ${index.documents} of ${expected} documents`;
    }
    const since = this.#shortSince.get(name) ?? this.#now();
    this.#shortSince.set(name, since);
    return this.#now() - since >= SHORT_AFTER_MS ? `has only ${index.documents} documents` : null;
  }

  /** Returns null while Postgres is unavailable, which is no reason to block reads from an index. */
  async #countExpected(name: ServedIndex, uuid: string): Promise<number | null> {
    const known = this.#expected.get(uuid);
    if (known && this.#now() - known.at < SHORT_AFTER_MS) return known.count;
    const count = await this.#sources.expected(name).catch(() => null);
    if (count !== null) {
      if (this.#expected.size >= 100) this.#expected.clear();
      this.#expected.set(uuid, { at: this.#now(), count });
    }
    return count;
  }
}
