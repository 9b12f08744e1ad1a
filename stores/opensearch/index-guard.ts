import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type IndexRecord,
  type IndexSource,
  isIncomplete,
  lossOf,
  SERVED_INDEXES,
  type ServedIndex,
} from '#domain/index-state.ts';
import { StoreError } from '#domain/store-error.ts';
import type { AliasedIndex } from './indexes.ts';

export interface GuardSources {
  shown(): Promise<ReadonlyMap<ServedIndex, AliasedIndex>>;
  registry(): Promise<ReadonlyMap<ServedIndex, { record: IndexRecord | null; source: IndexSource }>>;
}

export interface IndexState {
  index: string | null;
  documents: number;
  /** Null if none was recorded in Postgres. */
  recorded: number | null;
  lost: string | null;
  /** Whether some of its documents are lost. */
  incomplete: boolean;
  /** Whether the engine refuses writes to it. Searches are served. */
  isBlocked: boolean;
  /** Watermark of the listings index in epoch microseconds; null for other indexes. */
  watermark: number | null;
  source: IndexSource;
}

export interface Position {
  position: number;
  stream: string;
}

/** In milliseconds. */
const CONFIRM_LIMIT_MS = 1_000;

/**
 * Tracks which indexes can be read. They are checked in the background, so that requests need no extra round trip.
 * While OpenSearch is unavailable, the last result remains; while Postgres is, the last index records.
 */
export class IndexGuard {
  readonly #sources: GuardSources;
  #states: ReadonlyMap<ServedIndex, IndexState> = new Map();
  /** Thousands of waiting calls read it five times a second. */
  #position: Position | null = null;
  #registry: Awaited<ReturnType<GuardSources['registry']>> = new Map();
  #reading = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(sources: GuardSources) {
    this.#sources = sources;
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
    this.#next ??= this.#reading.then(() => {
      this.#next = null;
      const reading = this.#read();
      this.#reading = reading.catch(() => {});
      return reading;
    });
    return this.#next;
  }

  /**
   * Returns the watermark in epoch microseconds. An outdated one is too low, which excludes only new rows.
   * @throws StoreError if none is published: after an upgrade, until the worker publishes one
   */
  watermark(): number {
    const watermark = this.#states.get('listings')?.watermark ?? null;
    if (watermark === null)
      throw new StoreError('opensearch', true, new Error('no watermark of listings is published'));
    return watermark;
  }

  /** Returns the position of a copy that is read now, in the sequence of changes. Null until a run is published. */
  position(): Position | null {
    return this.#position;
  }

  /** Identifies the documents of an index. Null while it is being written, or if unknown. */
  generation(name: ServedIndex): string | null {
    const { index, watermark, source } = this.#states.get(name) ?? {};
    const version = name === 'listings' ? watermark : source?.version;
    return !index || source?.changing || version === null ? null : `${index} ${version}`;
  }

  states(): ReadonlyMap<ServedIndex, IndexState> {
    return this.#states;
  }

  /** Returns the indexes that must be filled. */
  due(): ServedIndex[] {
    return [...this.#states].flatMap(([name, { lost, incomplete }]) => (lost === null && !incomplete ? [] : [name]));
  }

  async #read(): Promise<void> {
    const shown = await this.#sources.shown().catch(() => null);
    // Read after the indexes, because a fill moves them after recording its intent. An index of the alias before
    // the move was valid in the previous records.
    const before = this.#registry;
    const registry = await this.#sources.registry().catch(() => null);
    if (registry !== null) this.#registry = registry;
    if (shown === null || this.#registry.size === 0) return;
    const states = new Map<ServedIndex, IndexState>();
    for (const name of SERVED_INDEXES) {
      const { record, source } = this.#registry.get(name) ?? { record: null, source: { version: 0, changing: true } };
      const index = shown.get(name) ?? null;
      const earlier = before.get(name);
      const isValid = earlier !== undefined && lossOf(earlier.record, index, earlier.source) === null;
      states.set(name, {
        index: index?.index ?? null,
        documents: index?.documents ?? 0,
        recorded: record?.documents ?? null,
        lost: isValid ? null : lossOf(record, index, source),
        // Equal records show that no run wrote meanwhile.
        incomplete: isDeepStrictEqual(earlier, registry?.get(name) ?? null) && isIncomplete(record, index, source),
        isBlocked: index?.isBlocked ?? false,
        watermark: index?.watermark ?? null,
        source,
      });
    }
    this.#states = states;
    const { watermark, stream } = states.get('listings')?.source ?? {};
    this.#position = watermark == null || stream == null ? null : { position: watermark, stream };
  }
}
